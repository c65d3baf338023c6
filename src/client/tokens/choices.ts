import { keptForTab, type Shelf } from '../shelf.ts';

/** Whom a tab acts for. */
export type Choice = {
	readonly tab: string;
	/** Base URL of the service. */
	readonly service: string;
	/** Id of the person's session. */
	readonly session: string;
};

/** Whom this tab acts for. Each tab chooses for itself; one that has not chosen yet begins with the latest choice of any. */
export class Choices {
	readonly #shelf: Shelf;
	readonly #tab: string;
	readonly #service: string;

	/**
	 * @param shelf where they are kept
	 * @param tab this one
	 * @param service base URL
	 */
	constructor(shelf: Shelf, tab: string, service: string) {
		this.#shelf = shelf;
		this.#tab = tab;
		this.#service = service;
	}

	/** Keeps a choice. */
	async keep(session: string): Promise<void> {
		const mine = { tab: this.#tab, service: this.#service, session };
		await this.#shelf.update('choices', (all) => keptForTab(all, mine));
	}

	/** Id of the session that was chosen last; undefined where nobody was. */
	async last(): Promise<string | undefined> {
		const here = ((await this.#shelf.read('choices')) ?? []).filter(({ service }) => service === this.#service);
		return (here.find(({ tab }) => tab === this.#tab) ?? here.at(-1))?.session;
	}
}
