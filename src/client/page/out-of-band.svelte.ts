import type { CodeWindow } from '../browser/code-window.ts';
import type { Client } from '../client.ts';
import { Problem, plain, problemOf } from '../problems.ts';
import { answerByHand, type TitleAnswer } from '../sign-in/out-of-band.ts';
import type { Session } from '../tokens/sessions.ts';
import type { SignIn } from './sign-in.svelte.ts';

/** What the out-of-band flow needs of its host. */
export type OutOfBandTools = {
	readonly open: () => CodeWindow | undefined;
	/** Calls `work` again and again. Returns what ends it. */
	readonly often: (work: () => void) => () => void;
	/** Somebody has signed in. */
	readonly welcome: (session: Session) => void;
};

/** Where the flow stands. */
export type Stage =
	| 'idle'
	/** A window is open, and its title is watched. */
	| 'watching'
	/** The browser refused to open a window. */
	| 'blocked'
	/** The window is closed or out of reach. */
	| 'gone'
	/** The person brings the code. */
	| 'by-hand'
	| 'exchanging';

/**
 * The out-of-band flow (specification, section 3.2): opens a window at the service, reads the answer off its title and the
 * state off its page, and closes it. Where that cannot be, a person brings the code, and PKCE takes the place of state.
 */
export class OutOfBand {
	stage: Stage = $state('idle');
	/** The request of the sign-in under way, to be opened by hand. */
	address = $state('');
	problem: Problem | undefined = $state.raw();
	/** What is wrong with the text in the field for the code; empty: nothing. */
	complaint = $state('');
	readonly #client: Client;
	readonly #signIn: SignIn;
	readonly #tools: OutOfBandTools;
	#window: CodeWindow | undefined;
	#unwatch: (() => void) | undefined;
	#isBeginning = false;
	/** Done once the next sign-in has a state of its own. */
	#prepared: Promise<void> = Promise.resolve();

	constructor(client: Client, signIn: SignIn, tools: OutOfBandTools) {
		this.#client = client;
		this.#signIn = signIn;
		this.#tools = tools;
	}

	/** Whether a sign-in is under way whose code may be brought. */
	get isUnderWay(): boolean {
		return this.stage !== 'idle' && this.stage !== 'exchanging';
	}

	/** Opens the window. To be called while a click is handled. */
	async openWindow(): Promise<void> {
		if (this.#isBeginning) return;
		const opened = this.#tools.open();
		this.#window = opened;
		await this.#begin();
		if (this.address === '') return opened?.close();
		if (opened === undefined) {
			this.stage = 'blocked';
			this.#tell('noticed', 'The browser did not open a window');
			return;
		}
		opened.go(this.address);
		this.stage = 'watching';
		this.#tell('opened', 'Opened a window, and watch its title');
		this.#unwatch = this.#tools.often(() => this.#watch(opened));
	}

	/** Begins a sign-in that needs no window of ours. */
	async begin(): Promise<void> {
		if (this.#isBeginning) return;
		await this.#begin();
		if (this.address !== '') this.stage = 'by-hand';
	}

	/** Brings the window to the front. */
	focus(): void {
		this.#window?.focus();
	}

	/** Gives the sign-in up. */
	async cancel(): Promise<void> {
		this.#window?.close();
		await this.#over();
	}

	/**
	 * Takes what a person has pasted.
	 * @param text a code, or the title that it stands in
	 */
	async bring(text: string): Promise<void> {
		const answer = answerByHand(text);
		this.complaint = answer === undefined ? 'That is no code. Copy the whole code, and nothing beside it.' : '';
		if (answer === undefined || !this.isUnderWay) return;
		this.#window?.close();
		await this.#receive(answer, new URL(this.address).searchParams.get('state'), 'person');
	}

	async #begin(): Promise<void> {
		this.#letGo();
		this.#isBeginning = true;
		this.problem = undefined;
		this.complaint = '';
		this.address = '';
		try {
			// Each sign-in has a state of its own, also the second try.
			await (this.isUnderWay ? this.#signIn.prepare() : this.#prepared);
			this.address = (await this.#signIn.depart()) ?? '';
		} finally {
			this.#isBeginning = false;
		}
	}

	#watch(opened: CodeWindow): void {
		const sight = opened.look();
		if (sight.kind === 'waiting') return;
		this.#letGo();
		if (sight.kind === 'gone') {
			this.stage = 'gone';
			this.#tell('noticed', 'The window is closed or out of reach');
			return;
		}
		const { name } = sight.answer;
		// A page that says what is wrong with the request stays, to be read.
		if (name !== 'fault') opened.close();
		this.#tell('received', `Read ${name} from the title of the window${name === 'fault' ? '' : ', and closed it'}`);
		void this.#receive(sight.answer, sight.state, 'answer');
	}

	async #receive({ name, value }: TitleAnswer, state: string | null, carrier: 'answer' | 'person'): Promise<void> {
		this.#letGo();
		this.stage = 'exchanging';
		try {
			// Such a page knows no state, so nothing is decided by it but that this sign-in is over.
			if (name === 'fault') throw new Problem(plain(value));
			const answer = new URLSearchParams({ [name]: value, ...(state === null ? {} : { state }) });
			const session = await this.#client.arrive(answer, carrier);
			this.#tools.welcome(session);
		} catch (thrown) {
			this.problem = problemOf(thrown);
		}
		await this.#over();
	}

	/** Ready for the next sign-in, which has a state of its own. */
	async #over(): Promise<void> {
		this.#letGo();
		this.stage = 'idle';
		this.address = '';
		this.#prepared = this.#signIn.prepare();
		await this.#prepared;
	}

	#letGo(): void {
		this.#unwatch?.();
		this.#unwatch = undefined;
	}

	#tell(kind: 'opened' | 'noticed' | 'received', what: string): void {
		this.#client.journal.tell({ kind, what, section: '3.2' });
	}
}
