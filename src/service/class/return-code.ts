import { ProtocolError } from '../core/errors.ts';

/** What a student has done in an earlier class. */
export type EarlierWork = { readonly done: readonly string[]; readonly revealed: readonly string[] };

type Digest = (text: string) => string;

/** Characters of the digest of an id, and of that of the whole code. */
const idLength = 4;
const sumLength = 8;

const markOf = (id: string, digest: Digest): string => digest(`course ${id}`).slice(0, idLength);
const sumOf = (body: string, digest: Digest): string => digest(`return ${body}`).slice(0, sumLength);

/** The code with which a student comes back to another class. It names lessons, and has no secret. */
export function returnCode({ done, revealed }: EarlierWork, digest: Digest): string {
	const part = (ids: readonly string[]) => ids.map((id) => markOf(id, digest)).join('');
	const body = `TG1.${part(done)}.${part(revealed)}`;
	return `${body}.${sumOf(body, digest)}`;
}

/**
 * What a code of an earlier class says. Lessons that this version does not have are left out.
 * @param ids of all lessons, exercises and labs
 * @throws ProtocolError `invalid_request` for a code that is not complete, or was changed
 */
export function readReturnCode(sent: string, ids: Iterable<string>, digest: Digest): EarlierWork {
	const code = sent.replace(/\s/g, '');
	const [, body = '', done = '', revealed = '', sum = ''] = /^(TG1\.([\w-]*)\.([\w-]*))\.([\w-]+)$/.exec(code) ?? [];
	if (body === '' || sum !== sumOf(body, digest))
		throw new ProtocolError(
			'invalid_request',
			'This is not the code of an earlier class: a part is missing, or was changed. Copy all of it, or join without a code.',
			{ field: 'return_code' }
		);
	const known = new Map([...ids].map((id) => [markOf(id, digest), id]));
	const read = (part: string) => [...new Set(part.match(/.{4}/g) ?? [])].flatMap((mark) => known.get(mark) ?? []);
	return { done: read(done), revealed: read(revealed) };
}
