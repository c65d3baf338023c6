import type { ForeignClaims } from './har-reading.ts';
import { fieldOf, listOf, numberOf, parseObject, textOf } from './json-fields.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The claims of a JWT that are kept: its issuer, audience and times. Undefined where a value is no JWT. Verifies nothing. */
export function claimsOf(token: string): ForeignClaims | undefined {
	const [head, payload = '', ...rest] = token.slice(0, 20_000).split('.');
	if (head?.startsWith('eyJ') !== true || rest.length !== 1) return undefined;
	const claims = parseObject(decodeBase64(payload) ?? '');
	if (claims === undefined) return undefined;
	const audience = fieldOf(claims, 'aud');
	return keptClaims(claims, Array.isArray(audience) ? listOf(claims, 'aud') : [audience]);
}

/** The claims of an object that are kept. Those without a known form are left out. */
export function keptClaims(claims: unknown, audiences: readonly unknown[]): ForeignClaims {
	const [iss, iat, exp] = [textOf(claims, 'iss'), numberOf(claims, 'iat'), numberOf(claims, 'exp')];
	const aud = audiences.filter(isName).slice(0, 10);
	return {
		...(isName(iss) ? { iss } : {}),
		...(aud.length > 0 ? { aud } : {}),
		...(iat === undefined ? {} : { iat }),
		...(exp === undefined ? {} : { exp })
	};
}

/** An issuer or an audience is a URL or a name. Other texts are not kept. */
const isName = (value: unknown): value is string =>
	typeof value === 'string' && /^[\w.:/~@-]{1,100}(?: [\w.-]{1,40}){0,5}$/.test(value);

/** The text in base64url. Undefined where it is none. */
export function decodeBase64(text: string): string | undefined {
	try {
		const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
		return decoder.decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
	} catch {
		return undefined;
	}
}
