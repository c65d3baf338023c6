import { answerInTitle, type TitleAnswer } from '../sign-in/out-of-band.ts';

/** What can be seen of the window. */
export type Sight =
	/** The person is still at it. */
	| { readonly kind: 'waiting' }
	/** Closed by the person, or cut off from this page by the service's policy: which of the two cannot be told. */
	| { readonly kind: 'gone' }
	/** The page with the answer, and the state in its body; null where it shows none. */
	| { readonly kind: 'answer'; readonly answer: TitleAnswer; readonly state: string | null };

/** A window of the browser in which a person signs in, and whose title this page can read. */
export interface CodeWindow {
	go(address: string): void;
	look(): Sight;
	focus(): void;
	close(): void;
}

const size = { width: 480, height: 760 };

/** Opens the window, still empty. To be called while a click is handled, else browsers block it: undefined then. */
export function openCodeWindow(): CodeWindow | undefined {
	const left = Math.round(window.screenX + (window.outerWidth - size.width) / 2);
	const top = Math.round(window.screenY + (window.outerHeight - size.height) / 2);
	const place = `popup,width=${String(size.width)},height=${String(size.height)},left=${String(left)},top=${String(top)}`;
	const opened = window.open('about:blank', '_blank', place);
	if (opened === null) return undefined;
	return {
		go: (address) => opened.location.replace(address),
		look: () => look(opened),
		focus: () => opened.focus(),
		close: () => opened.close()
	};
}

/** Where the service runs in the browser, its page stands in a shadow tree, apart from the application's styles. */
function stateIn(document: Document): string | null {
	const trees = [document, ...[...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot)];
	const shown = trees.map((tree) => tree?.querySelector('#state')?.textContent).find((text) => text !== undefined);
	return shown?.trim() ?? null;
}

function look(opened: Window): Sight {
	if (opened.closed) return { kind: 'gone' };
	try {
		const { document } = opened;
		const answer = answerInTitle(document.title);
		// The title is there before the body is: state stands further down.
		if (answer === undefined || document.readyState === 'loading') return { kind: 'waiting' };
		return { kind: 'answer', answer, state: stateIn(document) };
	} catch {
		return { kind: 'waiting' }; // on another origin for the moment
	}
}
