import { decodePercent } from '#lib/percent.ts';
import type { FieldNote } from '#api/protocol/field-notes.ts';
import type { Parameter } from './http-message.ts';
import { plainText } from '#evidence/message-text.ts';

/** What an ID token says. Its signature is not in the log. */
export type IdTokenFields = { readonly header: readonly Parameter[]; readonly claims: readonly Parameter[] };

const note = (text: string, section: string): FieldNote => ({ text, section: `OIDC Core §${section}` });
const inHeader = (text: string): FieldNote => ({ text, section: 'RFC 7515 §4.1' });

const notes: Readonly<Record<string, FieldNote>> = {
	alg: inHeader('How it is signed. A client rejects none.'),
	kid: inHeader('Which of the public keys verifies it. A client that does not know the key reads the keys again.'),
	typ: inHeader('It is a JSON Web Token.'),
	iss: note('The issuer. The client compares it with the one that it asked.', '2'),
	sub: note('The user. Unique at this issuer, and never reused.', '2'),
	aud: note('The client that it is for. A client rejects one for another client.', '2'),
	exp: note('When it expires. The client rejects it afterwards.', '2'),
	iat: note('When it was issued.', '2'),
	auth_time: note('When the user signed in. For max_age.', '2'),
	nonce: note('That of the authorization request. The client compares it, so that no token is used twice.', '2'),
	at_hash: note('The left half of the digest of the access token. It binds both tokens.', '3.1.3.6'),
	name: note('The name, for the scope profile.', '5.1'),
	preferred_username: note('The user name, for the scope profile.', '5.1'),
	email: note('The address, for the scope email.', '5.1')
};

const times = new Set(['exp', 'iat', 'auth_time']);

/** What a field of the header or a claim is for. */
export function claimNote(name: string): FieldNote | undefined {
	return Object.hasOwn(notes, name) ? notes[name] : undefined;
}

/** Reads the ID token of a token response. Undefined if the response has none, or none that can be read. */
export function readIdToken(body: string): IdTokenFields | undefined {
	const [, first, second] = /"id_token":\s*"([\w-]+)\.([\w-]+)\./.exec(body) ?? [];
	const [header, claims] = [readPart(first), readPart(second)];
	return header && claims && { header, claims };
}

/** The members of a part: a JSON object in base64url. */
function readPart(part = ''): Parameter[] | undefined {
	try {
		const bytes = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
		const text = decodePercent(
			bytes.replace(/[^]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`),
			false
		);
		const value: unknown = JSON.parse(text ?? '');
		if (typeof value !== 'object' || value === null) return undefined;
		return Object.entries(value).map(([name, member]) => [name, plainText(describe(name, member))]);
	} catch {
		return undefined;
	}
}

function describe(name: string, value: unknown): string {
	if (typeof value === 'string') return value;
	const isTime = times.has(name) && typeof value === 'number' && Math.abs(value) < 8.64e12;
	return isTime ? `${value} (${new Date(value * 1000).toISOString().slice(0, 19)}Z)` : JSON.stringify(value);
}
