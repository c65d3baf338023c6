import { parseOobTitle, type OobResult } from './oob-title.ts';

/** What the page can see of the popup. */
export type PopupState =
	/** The user has not finished. */
	| { readonly kind: 'waiting' }
	/** Closed by the user, or separated from this page by the service's opener policy. */
	| { readonly kind: 'closed' }
	/** `state`: from the body of the page; null: it shows none. */
	| { readonly kind: 'result'; readonly result: OobResult; readonly state: string | null };

/** A popup in which the user signs in, and whose title the page reads. */
export interface OobPopup {
	navigate(url: string): void;
	read(): PopupState;
	focus(): void;
	close(): void;
}

const size = { width: 480, height: 760 };

/** Opens an empty popup. Call it while a click is handled. Returns undefined if the browser blocks it. */
export function openOobPopup(): OobPopup | undefined {
	const left = Math.round(window.screenX + (window.outerWidth - size.width) / 2);
	const top = Math.round(window.screenY + (window.outerHeight - size.height) / 2);
	const features = { ...size, left, top };
	const list = Object.entries(features).map(([name, value]) => `${name}=${String(value)}`);
	const popup = window.open('about:blank', '_blank', ['popup', ...list].join(','));
	if (popup === null) return undefined;
	return {
		navigate: (url) => popup.location.replace(url),
		read: () => readPopup(popup),
		focus: () => popup.focus(),
		close: () => popup.close()
	};
}

function readPopup(popup: Window): PopupState {
	if (popup.closed) return { kind: 'closed' };
	try {
		const { document } = popup;
		const result = parseOobTitle(document.title);
		// The title arrives before the body, which has the state.
		if (result === undefined || document.readyState === 'loading') return { kind: 'waiting' };
		return { kind: 'result', result, state: readState(document) };
	} catch {
		return { kind: 'waiting' }; // On another origin.
	}
}

/** If the service runs in the browser, its page is in a shadow tree. */
function readState(document: Document): string | null {
	const roots = [document, ...[...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot)];
	const text = roots.map((root) => root?.querySelector('#state')?.textContent).find((one) => one !== undefined);
	return text?.trim() ?? null;
}
