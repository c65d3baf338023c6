import type { ErrorText } from '#api/errors.ts';

/** A page that the browser shows at the end of a sign-in, and its path on the listener. */
export type ResultPage = { readonly path: string; readonly title: string; readonly paragraphs: readonly string[] };

/** The sign-in succeeded. */
export const signedInPage: ResultPage = {
	path: '/signed-in',
	title: 'You’re signed in',
	paragraphs: ['Return to your terminal. You can close this window.']
};

/** The request is no authorization response, or the sign-in has ended. */
export const notFoundPage: ResultPage = {
	path: '/not-found',
	title: 'Page not found',
	paragraphs: ['Pocket Companion only accepts the response of a sign-in at this address.']
};

/** The sign-in failed, or the authorization response was rejected. */
export function failedPage({ title, cause }: ErrorText): ResultPage {
	const nextStep = 'See your terminal for the next step. You can close this window.';
	return { path: '/not-signed-in', title, paragraphs: [cause, nextStep] };
}

/**
 * A page as HTML, with the stylesheet of the service's own pages.
 * @param origin of the service
 */
export function renderPage({ title, paragraphs }: ResultPage, origin: string): string {
	return `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8" />
		<meta name="viewport" content="width=device-width, initial-scale=1" />
		<meta name="color-scheme" content="light dark" />
		<title>${escapeHtml(title)} · Pocket Companion</title>
		<link rel="icon" href="data:," />
		<link rel="stylesheet" href="${origin}/service.css" />
	</head>
	<body class="service">
		<header class="masthead"><strong>Pocket Companion</strong></header>
		<main class="card">
			<h1>${escapeHtml(title)}</h1>
			${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n\t\t\t')}
		</main>
		<footer class="colophon">This page comes from your own computer.</footer>
	</body>
</html>
`;
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
