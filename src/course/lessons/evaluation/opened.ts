import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { isObject, parseJson } from '#client/rate-limit/json-value.ts';
import { checkOf, parameter } from '#evidence/exchanges.ts';

/** One member of a proof or an assertion, and the check that compares it. */
export type OpenedMember = {
	readonly place: 'Header' | 'Claim';
	readonly name: string;
	readonly value: string;
	/** What it binds the request to. */
	readonly binds: string;
	/** Undefined where the request was rejected before, or nothing compares it: then it binds nothing. */
	readonly check: TraceLine | undefined;
};

export type Opened = { readonly title: 'The proof' | 'The assertion'; readonly members: readonly OpenedMember[] };

type Known = Readonly<Record<string, readonly [binds: string, check: string]>>;

const ofProof: Known = {
	typ: ['the kind of token that it is', 'dpop.proof_readable'],
	alg: ['how it is signed', 'dpop.proof_readable'],
	jwk: ['the key whose owner signed it', 'dpop.signature_valid'],
	jti: ['one use', 'dpop.not_replayed'],
	htm: ['one method', 'dpop.method_matches'],
	htu: ['one address', 'dpop.url_matches'],
	iat: ['one time', 'dpop.time_valid'],
	ath: ['one access token, by its hash', 'dpop.token_hash_matches'],
	nonce: ['one nonce of the service', 'dpop.nonce_current']
};

const ofAssertion: Known = {
	typ: ['the kind of token that it is', 'client_assertion.readable'],
	alg: ['how it is signed', 'client_assertion.readable'],
	kid: ['the registered key that signed it', 'client_assertion.signature_valid'],
	iss: ['the application that signed it', 'client_assertion.issued_by_client'],
	sub: ['the application that it is about', 'client_assertion.issued_by_client'],
	aud: ['one server', 'client_assertion.audience_matches'],
	iat: ['when it was signed', 'client_assertion.time_valid'],
	exp: ['until when it works', 'client_assertion.time_valid'],
	jti: ['one use', 'client_assertion.not_replayed']
};

/** The proof or the assertion of a request, opened. The log keeps both without their signature. */
export function openedIn(entry: TrafficEntry): Opened | undefined {
	const proof = entry.request.headers.find(([name]) => name.toLowerCase() === 'dpop')?.[1];
	const sent = proof ?? parameter(entry, 'client_assertion');
	if (sent === undefined) return undefined;
	const known = proof === undefined ? ofAssertion : ofProof;
	const [header = '', claims = ''] = sent.split('.');
	const members = [
		...membersOf(header, 'Header' as const, known, entry),
		...membersOf(claims, 'Claim' as const, known, entry)
	];
	return members.length === 0 ? undefined : { title: proof === undefined ? 'The assertion' : 'The proof', members };
}

function membersOf(part: string, place: OpenedMember['place'], known: Known, entry: TrafficEntry): OpenedMember[] {
	const body = parseJson(decoded(part));
	if (!isObject(body)) return [];
	return Object.entries(body).map(([name, value]) => {
		const [binds = '', check] = known[name] ?? [];
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return { place, name, value: text, binds, check: check === undefined ? undefined : checkOf(entry, check) };
	});
}

function decoded(part: string): string {
	try {
		return atob(part.replaceAll('-', '+').replaceAll('_', '/'));
	} catch {
		return '';
	}
}
