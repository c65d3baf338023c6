import type { AccessToken } from '../sandbox/records.ts';

/** Who acts for the user of a token, and in it who acted before (RFC 8693, section 4.1). */
export type Act = { readonly sub: string; readonly act?: Act };

/** The claim `act` of a token; none where it names no actor. */
export function actOf(delegation: AccessToken['delegation']): { readonly act?: Act } {
	const act = (delegation?.actors ?? []).reduceRight<Act | undefined>(
		(inner, sub) => ({ sub, ...(inner && { act: inner }) }),
		undefined
	);
	return act === undefined ? {} : { act };
}
