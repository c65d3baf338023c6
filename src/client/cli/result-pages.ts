import { explain } from '../explanations.ts';
import type { Problem } from '../problems.ts';

/** A page that the listener shows in the browser, and the path it stands at. */
export type ListenerPage = { readonly path: string; readonly html: string };

/** The sign-in went well. */
export const signedInPage = page('/signed-in', 'You are signed in', [
	'Pocket Companion has what it needs, and has told the terminal so.',
	'You can close this window.'
]);

/** An answer came after the one that counted. */
export const overPage = page('/over', 'This sign-in is over', [
	'An answer counts once. Nothing was exchanged again.',
	'You can close this window.'
]);

/** Anything that is no answer. */
export const strangerPage = page('/nothing', 'There is nothing here', [
	'Pocket Companion listens here for the answer of a sign-in, for a moment, and for nothing else.'
]);

/** The sign-in did not go well, or an answer was not believed. */
export function refusedPage(problem: Problem): ListenerPage {
	const { title, why } = explain(problem);
	return page('/not-signed-in', title, [why, 'The terminal tells what can be done. You can close this window.']);
}

/** Its words come from tables of our own, and are escaped all the same. */
function page(path: string, title: string, paragraphs: readonly string[]): ListenerPage {
	const text = paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('\n\t\t\t');
	const html = `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8" />
		<meta name="viewport" content="width=device-width, initial-scale=1" />
		<meta name="color-scheme" content="light dark" />
		<title>${escaped(title)} · Pocket Companion</title>
		<link rel="icon" href="data:," />
		<style>
			body { margin: 0; padding: 15vh 1.5rem; background: light-dark(#f6f7fb, #14151c); color: light-dark(#1b1d29, #e9eaf2); font: 1rem/1.6 system-ui, sans-serif; }
			main { max-width: 26rem; margin: 0 auto; padding: 1.5rem 2rem; border: 1px solid light-dark(#d9dbe6, #34363f); border-radius: 0.625rem; background: light-dark(#fff, #1c1d26); }
			h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; }
			p { margin: 0.75rem 0 0; }
			footer { margin-top: 1.25rem; color: light-dark(#5a5d6e, #a3a6b5); font-size: 0.8125rem; }
		</style>
	</head>
	<body>
		<main>
			<h1>${escaped(title)}</h1>
			${text}
			<footer>Pocket Companion, on your own machine</footer>
		</main>
	</body>
</html>
`;
	return { path, html };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
	return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
