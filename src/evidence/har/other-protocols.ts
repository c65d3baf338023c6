import { valueIn, type RawExchange } from './raw-exchange.ts';
import { parametersOf } from './roles.ts';

/** Protocols that a sign-in without OAuth 2 may have, and what shows each in a request. */
const protocols: readonly (readonly [name: string, has: (one: RawExchange) => boolean])[] = [
	[
		'SAML',
		(one) => /<form\b/i.test(one.responseBody) && /name=["']SAML(?:Request|Response)["']/.test(one.responseBody)
	],
	['SAML', (one) => hasOne(one, 'samlrequest', 'samlresponse', 'samlart')],
	['WS-Federation', (one) => hasOne(one, 'wresult', 'wtrealm')],
	[
		'OAuth 1.0',
		(one) => hasOne(one, 'oauth_consumer_key', 'oauth_token') || /^OAuth .*oauth_/i.test(authorizationOf(one))
	],
	['OpenID 2.0', (one) => hasOne(one, 'openid.mode')],
	[
		'CAS',
		(one) =>
			/\/(?:serviceValidate|p3\/serviceValidate|proxyValidate)$/.test(one.path) ||
			/^(?:ST|PT)-\d/.test(valueIn(one.query, 'ticket') ?? '')
	]
];

const hasOne = (one: RawExchange, ...names: readonly string[]) =>
	names.some((name) => valueIn(parametersOf(one), name) !== undefined);
const authorizationOf = ({ requestHeaders }: RawExchange) => valueIn(requestHeaders, 'authorization') ?? '';

/** The protocol of a sign-in without OAuth 2. Undefined where none is known. */
export const protocolOf = (raws: readonly RawExchange[]): string | undefined =>
	protocols.find(([, has]) => raws.some(has))?.[0];
