import { patternOfKind, valueOfText, type RecordFields } from '#api/world/record-values.ts';
import { ClientError, toClientError } from '#client/oauth/client-error.ts';
import { isObject, type JsonValue } from '#client/rate-limit/json-value.ts';
import type { Kind } from '#client/world.ts';
import type { ViewerClient } from './client.ts';

/** A record as texts, by the names of its fields. */
export type ShownRecord = { readonly id: string; readonly texts: Readonly<Record<string, string>> };

export const recordsPerPage = 5;

/** The records of one kind that a user sees, a page at a time, and new ones. */
export class RecordListModel {
	/** Undefined until the first page arrived. */
	items: readonly ShownRecord[] | undefined = $state.raw();
	page = $state(1);
	total = $state(0);
	isBusy = $state(false);
	error: ClientError | undefined = $state.raw();
	/** The record that was just created. */
	created: ShownRecord | undefined = $state.raw();
	/** The field that selects records, and its value. An empty value selects all. */
	filter: { readonly field?: string; readonly value: string } = $state.raw({ value: '' });
	readonly #client: ViewerClient;
	readonly #kind: Kind;
	readonly #userId: string;

	/** @param userId whose token is sent */
	constructor(client: ViewerClient, kind: Kind, userId: string) {
		this.#client = client;
		this.#kind = kind;
		this.#userId = userId;
	}

	/** The field that selects records. */
	get field(): string {
		return this.filter.field ?? Object.keys(this.#kind.fields)[0] ?? '';
	}

	/** The path of a page, with the filter. */
	pathOf(page: number): string {
		const { value } = this.filter;
		const query = new URLSearchParams({ page: String(page), per_page: String(recordsPerPage) });
		if (value !== '') query.set(this.field, value);
		return `/ws/v2.0/${this.#kind.name}?${query}`;
	}

	/** Requests a page. */
	async load(page = 1): Promise<void> {
		await this.#run(async () => {
			// The table needs types, which XML does not have.
			const { data } = await this.#client.resources.get(this.pathOf(page), this.#request());
			const { items, total } = isObject(data) ? data : {};
			if (!Array.isArray(items) || typeof total !== 'number') throw new ClientError('unexpected_response');
			[this.items, this.page, this.total] = [items.map(toShown), page, total];
		});
	}

	/**
	 * Creates a record, and shows the first page if the user sees records.
	 * @param texts what the user typed, by field. An empty one is not sent
	 * @returns whether it was created
	 */
	async create(texts: Readonly<Record<string, string>>, canRead: boolean): Promise<boolean> {
		let created: ShownRecord | undefined;
		await this.#run(async () => {
			const path = `/ws/v2.0/${this.#kind.name}`;
			created = toShown((await this.#client.resources.post(path, this.#values(texts), this.#request())).data);
		});
		if (created === undefined) return false;
		if (canRead) await this.load();
		this.created = created;
		return true;
	}

	#request() {
		const { credential } = this.#client.settings.value;
		return { tokenSetId: this.#userId, pattern: patternOfKind(this.#kind.name), credential };
	}

	/** A text that is no value of the field is sent as it is: the service says what is wrong. */
	#values(texts: Readonly<Record<string, string>>): RecordFields {
		return Object.fromEntries(
			Object.entries(this.#kind.fields).flatMap(([name, field]) => {
				const text = texts[name] ?? '';
				return text === '' ? [] : [[name, valueOfText(field, text) ?? text] as const];
			})
		);
	}

	async #run(send: () => Promise<void>): Promise<void> {
		if (this.isBusy) return;
		this.isBusy = true;
		[this.error, this.created] = [undefined, undefined];
		try {
			await send();
		} catch (thrown) {
			this.error = toClientError(thrown);
		} finally {
			this.isBusy = false;
		}
	}
}

function toShown(value: JsonValue | undefined): ShownRecord {
	const { id, ...fields } = isObject(value) ? value : {};
	const texts = Object.entries(fields).map(([name, one]): [string, string] => [
		name,
		typeof one === 'string' ? one : JSON.stringify(one)
	]);
	return { id: typeof id === 'string' ? id : '', texts: Object.fromEntries(texts) };
}
