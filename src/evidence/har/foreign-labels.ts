import { sha256 } from '@noble/hashes/sha2.js';
import type { TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import type { RemovedValue } from './har-reading.ts';

/**
 * The kinds of values that get a name, so that a value can be followed, and the parameters and fields that have such values: in lower
 * case letters only.
 */
export const namesOfKinds = {
	code: 'code',
	state: 'state',
	nonce: 'nonce',
	'code verifier': 'codeverifier',
	'access token': 'accesstoken authtoken',
	'refresh token': 'refreshtoken',
	'ID token': 'idtoken idtokenhint',
	token: 'token subjecttoken actortoken logouttoken registrationaccesstoken',
	assertion: 'assertion clientassertion request samlresponse samlrequest',
	'client secret': 'clientsecret',
	'device code': 'devicecode',
	'user code': 'usercode',
	'request URI': 'requesturi',
	session: 'sessionstate sid',
	'CSRF token': 'csrf csrftoken xsrftoken authenticitytoken requestverificationtoken',
	email: 'email mail',
	user: 'loginhint username login preferredusername upn identifier',
	subject: 'sub'
} as const;
export type LabelKind = keyof typeof namesOfKinds;
const isKind = (name: string): name is LabelKind => Object.hasOwn(namesOfKinds, name);
export const labelKinds: readonly LabelKind[] = Object.keys(namesOfKinds).filter(isKind);

/** The labels in a text. */
export const labelPattern = new RegExp(String.raw`\[((?:${labelKinds.join('|')}) \d{1,4})\]`, 'g');
/** What is in place of a value that is not followed. */
export const removed = '[removed]';
/** A label or what is in place of a value. */
const placeholder = new RegExp(
	String.raw`(\[(?:(?:${labelKinds.join('|')}) \d{1,4}|removed|text|number|\d{1,6} items?)\])`
);

/** Their values are long and random, so that a digest does not reveal them. It finds the same value in another file. */
const digested: readonly LabelKind[] = [
	'code',
	'state',
	'nonce',
	'access token',
	'refresh token',
	'ID token',
	'token',
	'device code',
	'request URI'
];
/** Shorter values could be found by trial. Codes are worthless after their use. */
const shortestDigested = 16;
const mostValues = 2000;
/** Shorter values are not searched for in other texts: they are ordinary words. */
const shortestSearched = 6;
const encoder = new TextEncoder();

/** The SHA-256 of a text, in base64url. That of a code verifier is its challenge (RFC 7636, section 4.2). */
export function digestOf(text: string): string {
	const bytes = sha256(encoder.encode(text));
	return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (char) => ({ '+': '-', '/': '_' })[char] ?? '');
}

/** Lone surrogates have no encoding. */
const encoded = (text: string) => encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));

/** Percent-encodes a text without its labels. */
export function encodeWithLabels(text: string): string {
	return text
		.split(placeholder)
		.map((part, at) => (at % 2 === 1 ? part : encoded(part)))
		.join('');
}

/** Names the secrets of a file. Equal values get equal names. It holds the values, so it must not outlive the reading. */
export class ForeignLabels {
	readonly #byValue = new Map<string, TrafficValue>();
	readonly #byLabel = new Map<string, TrafficValue>();
	readonly #counts = new Map<LabelKind, number>();
	readonly #removed = new Map<string, { count: number; example: string; keptAs: string }>();
	/** The longest first, so that no value is replaced in the middle of another. */
	#searched: string[] | undefined;
	/** By the digest of another recording, whose values are labels already. */
	readonly #given: ReadonlyMap<string, string>;

	/** @param given the digests of a file of `tollgate watch`, by its labels */
	constructor(given: ReadonlyMap<string, string> = new Map()) {
		this.#given = given;
	}

	/** Names a value, counts it, and returns what is shown in its place: `[code 1]`. */
	show(kind: LabelKind, value: string, name: string = kind): string {
		const text = this.name(kind, value);
		this.count(name, value, text);
		return text;
	}

	/** Names a value: `[code 1]`. */
	name(kind: LabelKind, value: string): string {
		const known = this.#byValue.get(value);
		if (known !== undefined) return known.preview;
		if (value === removed || this.#byValue.size >= mostValues) return removed;
		const given = this.#given.get(value);
		const isLabel = given === undefined && /^\[[A-Za-z ]+ \d+\]$/.test(value);
		if (isLabel && this.#given.size === 0) return removed;
		const number = (this.#counts.get(kind) ?? 0) + 1;
		if (number > 9999) return removed;
		this.#counts.set(kind, number);
		const label = `${kind} ${number}`;
		const isDigested = !isLabel && digested.includes(kind) && (value.length >= shortestDigested || /code$/.test(kind));
		const id = given ?? ((kind === 'code verifier' && !isLabel) || isDigested ? digestOf(value) : label);
		const named = { label, preview: `[${label}]`, id };
		this.#byValue.set(value, named);
		this.#byLabel.set(label, named);
		this.#searched = undefined;
		return named.preview;
	}

	/** What is shown in place of a value that has a name already. */
	find(value: string): string | undefined {
		return this.#byValue.get(value)?.preview;
	}

	/** Adds a fact about a state. */
	describe(value: string, facts: Pick<TrafficValue, 'form' | 'bits'>): void {
		const known = this.#byValue.get(value);
		if (known?.label.startsWith('state ') !== true) return;
		const described = { ...known, ...facts };
		this.#byValue.set(value, described);
		this.#byLabel.set(known.label, described);
	}

	/** Counts a value that was removed. */
	count(name: string, value: string, keptAs = removed): void {
		const row = this.#removed.get(name);
		if (row !== undefined) row.count++;
		else if (this.#removed.size < 60) {
			const isFollowed = keptAs !== removed && value.length > 20 && !/secret|mail|user|subject/i.test(keptAs);
			this.#removed.set(name, { count: 1, example: isFollowed ? `${value.slice(0, 4)}…` : '••••', keptAs });
		}
	}

	get removed(): RemovedValue[] {
		return [...this.#removed].map(([name, row]) => ({ name, ...row }));
	}

	/** Replaces each named value in a text. */
	replaceIn(text: string): string {
		this.#searched ??= [...this.#byValue.keys()]
			.filter((value) => value.length >= shortestSearched && !value.startsWith('['))
			.flatMap((value) => {
				const other = encoded(value);
				return other === value ? [value] : [value, other];
			})
			.sort((one, other) => other.length - one.length);
		let result = text;
		for (const value of this.#searched)
			if (result.includes(value)) result = result.replaceAll(value, () => this.#shownFor(value));
		return result;
	}

	#shownFor(value: string): string {
		const known = this.#byValue.get(value);
		if (known !== undefined) return known.preview;
		try {
			return this.#byValue.get(decodeURIComponent(value))?.preview ?? removed;
		} catch {
			return removed;
		}
	}

	/** Completes an entry: the values that its texts have labels of, and where. */
	refer(entry: Omit<TrafficEntry, 'values' | 'references'>): TrafficEntry {
		return referTo(entry, (label) => this.#byLabel.get(label));
	}
}

/** Completes an entry whose texts have labels. @param valueOf the value of a label */
export function referTo(
	entry: Omit<TrafficEntry, 'values' | 'references'>,
	valueOf: (label: string) => TrafficValue | undefined
): TrafficEntry {
	const values: TrafficValue[] = [];
	const references: TrafficEntry['references'] = [];
	const look = (text: string, pointer: string) => {
		for (const found of text.matchAll(labelPattern)) {
			const value = valueOf(found[1] ?? '');
			if (value === undefined || references.length >= 200) continue;
			let at = values.findIndex(({ label }) => label === value.label);
			if (at < 0) at = values.push(value) - 1;
			references.push({ pointer, start: found.index, end: found.index + found[0].length, value: at });
		}
	};
	const { request, response } = entry;
	look(request.target, '/request/target');
	request.headers.forEach(([, value], at) => look(value, `/request/headers/${at}/1`));
	look(request.body, '/request/body');
	response?.headers.forEach(([, value], at) => look(value, `/response/headers/${at}/1`));
	look(response?.body ?? '', '/response/body');
	return { ...entry, values, references };
}
