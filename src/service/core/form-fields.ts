import { decodePercent } from '#lib/percent.ts';

/** More pairs than any request needs. */
const maxPairs = 100;

type Field = { readonly raw: string; readonly value: string | undefined; readonly repeated: string[] };

/** The fields of a query string or a form body, decoded and as sent. */
export class FormFields {
	readonly #fields = new Map<string, Field>();
	#hasDuplicates = false;
	#hasMalformed = false;
	/** Whether there were too many pairs. Those past the limit are not read. */
	readonly exceedsLimit: boolean = false;

	/** @param text the encoded pairs, without the `?` */
	constructor(text: string) {
		if (text === '') return;
		const pairs = text.split('&', maxPairs + 1);
		this.exceedsLimit = pairs.length > maxPairs;
		for (const pair of pairs) {
			if (pair === '') continue;
			const equals = pair.indexOf('=');
			const name = decodePercent(equals < 0 ? pair : pair.slice(0, equals), true);
			if (name === undefined) continue;
			const known = this.#fields.get(name);
			const raw = equals < 0 ? '' : pair.slice(equals + 1);
			if (known !== undefined) {
				known.repeated.push(raw);
				this.#hasDuplicates = true;
				continue;
			}
			const value = decodePercent(raw, true);
			this.#hasMalformed ||= value === undefined;
			this.#fields.set(name, { raw, value, repeated: [] });
		}
	}

	/** The decoded value; undefined where the field is absent, empty (RFC 6749, section 3.1) or badly encoded. */
	get(name: string): string | undefined {
		const value = this.#fields.get(name)?.value;
		return value === '' ? undefined : value;
	}

	/** The value exactly as sent, still encoded; undefined where the field is absent. */
	raw(name: string): string | undefined {
		return this.#fields.get(name)?.raw;
	}

	/** All decoded values of a field that may be sent more than once. Empty ones are left out, badly encoded ones are undefined. */
	values(name: string): (string | undefined)[] {
		const field = this.#fields.get(name);
		if (field === undefined) return [];
		return [field.value, ...field.repeated.map((raw) => decodePercent(raw, true))].filter((value) => value !== '');
	}

	/** The names, each once. */
	names(): Iterable<string> {
		return this.#fields.keys();
	}

	/** How many fields there are, each counted once. */
	get size(): number {
		return this.#fields.size;
	}

	has(name: string): boolean {
		return this.#fields.has(name);
	}

	/** The first of these fields that was sent more than once. By default all are compared. */
	duplicated(names?: readonly string[]): string | undefined {
		return this.#hasDuplicates ? this.#first(names, ({ repeated }) => repeated.length > 0) : undefined;
	}

	/** The first of these fields whose value is not percent-encoded UTF-8. By default all are checked. */
	malformed(names?: readonly string[]): string | undefined {
		return this.#hasMalformed ? this.#first(names, ({ value }) => value === undefined) : undefined;
	}

	#first(names: readonly string[] = [...this.#fields.keys()], applies: (field: Field) => boolean): string | undefined {
		return names.find((name) => {
			const field = this.#fields.get(name);
			return field !== undefined && applies(field);
		});
	}
}

/** A scope parameter as a set; undefined where it breaks the grammar of RFC 6749, section 3.3: one space between two scopes, no other. */
export function parseScope(text: string): string[] | undefined {
	if (text.length > 1024 || !/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text)) return undefined;
	return scopeSet(text.split(' '));
}

/** Scopes as a set: each once, in the order in which the consent page lists them and tokens have them. */
export function scopeSet(scopes: Iterable<string>): string[] {
	return [...new Set(scopes)].sort();
}
