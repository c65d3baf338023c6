import type { RawExchange } from './raw-exchange.ts';
import { parametersOf } from './roles.ts';

/** Protocols that a sign-in without OAuth 2 may have, by a parameter or a header of theirs. */
const protocols: readonly (readonly [name: string, pair: RegExp])[] = [
	['SAML', /^saml(?:request|response|art)=/i],
	['WS-Federation', /^w(?:result|trealm)=/i],
	['OAuth 1.0', /^oauth_(?:consumer_key|token|verifier)=|^authorization=oauth .*oauth_/i],
	['OpenID 2.0', /^openid\.mode=/i],
	['CAS', /^ticket=[sp]t-\d/i]
];

/** The protocol of a sign-in without OAuth 2. Undefined if none is known. */
export function protocolOf(raws: readonly RawExchange[]): string | undefined {
	const pairs = raws.flatMap((one) => [...parametersOf(one), ...one.requestHeaders]).map((pair) => pair.join('='));
	return protocols.find(([, shows]) => pairs.some((pair) => shows.test(pair)))?.[0];
}
