import * as v from 'valibot';
import type { BoardRow } from '#api/control/board.ts';
import { parseJson } from '#client/rate-limit/json-value.ts';
import { keepTyped, typedText } from '#client/storage/typed-text.svelte.ts';

const prefix = 'tollgate-class-names';
const stored = v.object({ expires: v.number(), names: v.record(v.string(), v.string()) });
/** The longest name, and the longest list, in characters. */
const longestName = 60;
export const longestList = 30_000;

/** Which seat has which name, and the lines that name no seat. */
export type ReadNames = { readonly names: ReadonlyMap<number, string>; readonly unread: readonly string[] };

/**
 * Reads a pasted list. Each line has a seat number or a generated name, and the real name: `17 Jane Doe`, `Quiet Heron, Jane Doe` or
 * `Jane Doe; 17`.
 */
export function readNames(text: string, rows: readonly Pick<BoardRow, 'seat' | 'label'>[]): ReadNames {
	const names = new Map<number, string>();
	const unread: string[] = [];
	for (const line of text
		.slice(0, longestList)
		.split('\n')
		.map((one) => one.trim())) {
		if (line === '') continue;
		const found = rows.find(({ label }) => line.toLowerCase().includes(label.toLowerCase()));
		const [, number] = /^(\d{1,3})\b|\b(\d{1,3})$/.exec(line)?.filter(Boolean) ?? [];
		const seat = found?.seat ?? rows.find((row) => row.seat === Number(number))?.seat;
		const without = found === undefined ? line.replace(/^\d{1,3}\b|\b\d{1,3}$/, '') : withoutLabel(line, found.label);
		const name = without.replace(/^[\s,;:=\t]+|[\s,;:=\t]+$/g, '').slice(0, longestName);
		if (seat === undefined || name === '') unread.push(line);
		else names.set(seat, name);
	}
	return { names, unread };
}

function withoutLabel(line: string, label: string): string {
	const at = line.toLowerCase().indexOf(label.toLowerCase());
	return line.slice(0, at) + line.slice(at + label.length);
}

/** The real names of the students of a class. They are in the storage of this browser only, and are never sent. */
export class RealNames {
	#names: ReadonlyMap<number, string> = $state.raw(new Map());
	readonly #key: string;

	/** @param now milliseconds. Names of classes that have ended are deleted */
	constructor(code: string, now: number = Date.now()) {
		this.#key = `${prefix} ${code}`;
		for (const key of new Set([...keysOf(), this.#key])) {
			const known = v.safeParse(stored, parseJson(typedText(key)));
			if (!known.success || known.output.expires < now) keepTyped(key, '');
			else if (key === this.#key)
				this.#names = new Map(Object.entries(known.output.names).map(([seat, name]) => [Number(seat), name]));
		}
	}

	get size(): number {
		return this.#names.size;
	}

	/** The name of the student of a seat. Undefined: it is not known. */
	of(seat: number): string | undefined {
		return this.#names.get(seat);
	}

	/** Keeps names besides the known ones. @param expires when the class ends, in milliseconds */
	keep(names: ReadonlyMap<number, string>, expires: number): void {
		this.#names = new Map([...this.#names, ...names]);
		keepTyped(this.#key, JSON.stringify({ expires, names: Object.fromEntries(this.#names) }));
	}

	forget(): void {
		this.#names = new Map();
		keepTyped(this.#key, '');
	}
}

function keysOf(): string[] {
	try {
		return Object.keys(localStorage).filter((key) => key.startsWith(`${prefix} `));
	} catch {
		return [];
	}
}
