import type { ErrorMessage } from '../error-message.ts';

/** A page that the browser shows at the end of a sign-in, and its path on the listener. */
export type ResultPage = { readonly path: string; readonly html: string };

/** Colours and sizes are those of the service's own pages. The fonts are the system's, since the page loads nothing. */
const style = `
	body { box-sizing: border-box; min-height: 100vh; margin: 0; padding: 1.5rem 1rem; display: flex; flex-direction: column; align-items: center; background: light-dark(oklch(98.7% 0.003 262), oklch(17% 0.016 262)); color: light-dark(oklch(19.8% 0.017 262), oklch(92.5% 0.006 262)); font: 0.875rem/1.43 system-ui, sans-serif; }
	header { width: min(60rem, 100%); font-size: 1rem; font-weight: 600; letter-spacing: -0.02em; }
	main { box-sizing: border-box; width: min(27rem, 100%); margin-block: auto; padding: 2rem; border: 1px solid light-dark(oklch(25% 0.03 262 / 14%), oklch(96% 0.02 262 / 14%)); border-radius: 0.625rem; background: light-dark(#fff, oklch(19.8% 0.017 262)); }
	h1 { margin: 0; font-size: 1.625rem; font-weight: 600; line-height: 1.25; letter-spacing: -0.02em; }
	p { margin: 1rem 0 0; }
	footer { color: light-dark(oklch(45% 0.024 262), oklch(75% 0.014 262)); }
`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The sign-in succeeded. */
export const signedInPage = createPage('/signed-in', 'You’re signed in', [
	'Return to your terminal. You can close this window.'
]);

/** The request is no authorization response, or the sign-in has ended. */
export const notFoundPage = createPage('/not-found', 'Page not found', [
	'Pocket Companion only accepts the response of a sign-in at this address.'
]);

/** The sign-in failed, or the authorization response was rejected. */
export function failedPage({ title, reason }: ErrorMessage): ResultPage {
	return createPage('/not-signed-in', title, [
		reason,
		'See your terminal for the next step. You can close this window.'
	]);
}

function createPage(path: string, title: string, paragraphs: readonly string[]): ResultPage {
	const text = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n\t\t\t');
	const html = `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8" />
		<meta name="viewport" content="width=device-width, initial-scale=1" />
		<meta name="color-scheme" content="light dark" />
		<title>${escapeHtml(title)} · Pocket Companion</title>
		<link rel="icon" href="data:," />
		<style>${style}</style>
	</head>
	<body>
		<header>Pocket Companion</header>
		<main>
			<h1>${escapeHtml(title)}</h1>
			${text}
		</main>
		<footer>This page comes from your own computer.</footer>
	</body>
</html>
`;
	return { path, html };
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
