/** What of our service an endpoint of a provider is. */
export const endpointKinds = [
	'authorize',
	'token',
	'revoke',
	'api',
	'keys',
	'metadata',
	'device',
	'introspect'
] as const;
export type EndpointKind = (typeof endpointKinds)[number];
