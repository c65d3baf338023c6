import type { CallbackOptions } from '#client/oauth/authorization-response.ts';
import { ClientError, sanitizeLine, toClientError } from '#client/oauth/client-error.ts';
import type { ViewerClient } from './client.ts';
import { entry } from './event-log.svelte.ts';
import { type OobResult, parseOobTitle, parsePastedCode } from './oob-title.ts';
import type { SignInForm } from './sign-in-form.svelte.ts';
import type { Viewer } from './viewer.svelte.ts';

/** What `OobSignIn` needs. */
export type OobSignInOptions = {
	readonly openPopup: () => OobPopup | undefined;
	/** Calls `read` repeatedly. Returns a function that ends it. */
	readonly poll: (read: () => void) => () => void;
};

/** `watching`: the popup is open. `blocked`: the browser did not open it. `manual`: the user pastes the code. */
export type OobStage = 'idle' | 'watching' | 'blocked' | 'closed' | 'manual' | 'exchanging';

/**
 * The sign-in of an installed application with the out-of-band URI (section 3.2). It opens a popup at the service, reads the
 * code from its title and the state from its body, and closes it. The user can also paste the code.
 */
export class OobSignIn {
	stage: OobStage = $state('idle');
	/** The authorization URL of the sign-in under way. */
	url = $state('');
	error: ClientError | undefined = $state.raw();
	/** Why the pasted text is no code; empty: it is one. */
	inputError = $state('');
	readonly #client: ViewerClient;
	readonly #form: SignInForm;
	readonly #viewer: Viewer;
	readonly #options: OobSignInOptions;
	#popup: OobPopup | undefined;
	#endPolling: (() => void) | undefined;
	#isStarting = false;
	/** Resolves when the next sign-in has its own state. */
	#prepared: Promise<void> = Promise.resolve();

	constructor(viewer: Viewer, options: OobSignInOptions) {
		this.#viewer = viewer;
		this.#client = viewer.client;
		this.#form = viewer.signIn;
		this.#options = options;
	}

	/** Whether a code can be submitted. */
	get isUnderWay(): boolean {
		return this.stage !== 'idle' && this.stage !== 'exchanging';
	}

	/** Opens the popup. Call it while a click is handled. */
	async openPopup(): Promise<void> {
		if (this.#isStarting) return;
		const popup = this.#options.openPopup();
		this.#popup = popup;
		await this.#start();
		if (this.url === '') return popup?.close();
		if (popup === undefined) {
			this.stage = 'blocked';
			return this.#log('The browser blocked the popup');
		}
		popup.navigate(this.url);
		this.stage = 'watching';
		this.#log('Opened a popup and waiting for the code in its title');
		this.#endPolling = this.#options.poll(() => this.#read(popup));
	}

	/** Starts a sign-in without a popup. */
	async startManual(): Promise<void> {
		if (this.#isStarting) return;
		await this.#start();
		if (this.url !== '') this.stage = 'manual';
	}

	/** Brings the popup to the front. */
	focus(): void {
		this.#popup?.focus();
	}

	async cancel(): Promise<void> {
		this.#popup?.close();
		await this.#reset();
	}

	/** @param text pasted by the user: the code, or the title that contains it */
	async submitCode(text: string): Promise<void> {
		const result = parsePastedCode(text);
		this.inputError = result === undefined ? 'That isn’t a valid code. Paste the whole code and nothing else.' : '';
		if (result === undefined || !this.isUnderWay) return;
		this.#popup?.close();
		await this.#finish(result, new URL(this.url).searchParams.get('state'), 'manual');
	}

	async #start(): Promise<void> {
		this.#stopPolling();
		this.#isStarting = true;
		this.error = undefined;
		this.inputError = '';
		this.url = '';
		try {
			// Every attempt has its own state.
			await (this.isUnderWay ? this.#form.prepare() : this.#prepared);
			this.url = (await this.#form.start())?.href ?? '';
		} finally {
			this.#isStarting = false;
		}
	}

	#read(popup: OobPopup): void {
		const seen = popup.read();
		if (seen.kind === 'waiting') return;
		this.#stopPolling();
		if (seen.kind === 'closed') {
			this.stage = 'closed';
			return this.#log('The popup was closed, or can’t be read');
		}
		// An error page of the service stays open for the user to read.
		if (seen.result.name !== 'fault') popup.close();
		this.#log(`Read ${seen.result.name} from the title of the popup`);
		void this.#finish(seen.result, seen.state, 'redirect');
	}

	async #finish(
		{ name, value }: OobResult,
		state: string | null,
		codeSource: NonNullable<CallbackOptions['codeSource']>
	): Promise<void> {
		this.#stopPolling();
		this.stage = 'exchanging';
		try {
			if (name === 'fault') throw new ClientError(sanitizeLine(value));
			const params = new URLSearchParams({ [name]: value, ...(state === null ? {} : { state }) });
			await this.#viewer.finishSignIn(await this.#client.handleCallback(params, codeSource));
		} catch (thrown) {
			this.error = toClientError(thrown);
		}
		await this.#reset();
	}

	async #reset(): Promise<void> {
		this.#stopPolling();
		this.stage = 'idle';
		this.url = '';
		this.#prepared = this.#form.prepare();
		await this.#prepared;
	}

	#stopPolling(): void {
		this.#endPolling?.();
		this.#endPolling = undefined;
	}

	#log(message: string): void {
		this.#client.log.emit(entry(message, '3.2'));
	}
}

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
