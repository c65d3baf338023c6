/** The dialects that a sandbox can speak. */
export const dialectNames = ['specification', 'standard'] as const;
export type DialectName = (typeof dialectNames)[number];

/** How a client proves who it is: in the form, by HTTP Basic, or not at all (installed applications, RFC 8252). */
type ClientAuthentication = 'post' | 'basic' | 'none';

/** Everything that differs between the dialects, as data. Checks read it. */
export type Dialect = {
	readonly name: DialectName;
	/** Schemes that resources accept. The first one is in challenges. */
	readonly schemes: readonly ('OAuth' | 'Bearer' | 'DPoP')[];
	/** `token_type` of token responses. */
	readonly tokenType: 'OAuth' | 'Bearer';
	readonly tokenInQuery: boolean;
	readonly authentication: readonly ClientAuthentication[];
	readonly pkce: 'optional' | 'required';
	/** `default`: a request without `scope` asks for the permission that reads characters (RFC 6749, section 3.3). */
	readonly scope: 'required' | 'default';
	/** Whether authorization responses name their issuer (RFC 9207). */
	readonly iss: boolean;
	/** Hosts of the loopback redirect URIs of installed applications. `any`: 127.0.0.1 and [::1], too. */
	readonly loopback: 'localhost' | 'any';
	readonly outOfBand: boolean;
	/** Which code exchanges lead to a refresh token. */
	readonly refreshFor: 'first_offline' | 'always';
	/** `rotated`: a refresh token works once, and a second use ends what it led to (RFC 9700, section 4.14.2). */
	readonly refresh: 'kept' | 'rotated';
	readonly revocation: 'GET' | 'POST';
	/** The response over the rate limit, and whether responses have `RateLimit` fields. */
	readonly limit: { readonly status: 400 | 429; readonly fields: boolean };
	/** Whether there are metadata documents, introspection and registration. */
	readonly metadata: boolean;
};

const specification: Dialect = {
	name: 'specification',
	schemes: ['OAuth'],
	tokenType: 'OAuth',
	tokenInQuery: true,
	authentication: ['post'],
	pkce: 'optional',
	scope: 'required',
	iss: false,
	loopback: 'localhost',
	outOfBand: true,
	refreshFor: 'first_offline',
	refresh: 'kept',
	revocation: 'GET',
	limit: { status: 400, fields: false },
	metadata: false
};

const standard: Dialect = {
	name: 'standard',
	schemes: ['Bearer', 'DPoP'],
	tokenType: 'Bearer',
	tokenInQuery: false,
	authentication: ['basic', 'post', 'none'],
	pkce: 'required',
	scope: 'default',
	iss: true,
	loopback: 'any',
	outOfBand: false,
	refreshFor: 'always',
	refresh: 'rotated',
	revocation: 'POST',
	limit: { status: 429, fields: true },
	metadata: true
};

export const dialects: Readonly<Record<DialectName, Dialect>> = { specification, standard };

/** The specification as a sandbox speaks it that is not strict. */
const lenient: Dialect = {
	...specification,
	schemes: ['OAuth', 'Bearer'],
	tokenType: 'Bearer',
	authentication: ['post', 'basic']
};

/** The dialect that settings choose. Settings of earlier versions have no `dialect`. */
export function dialectOf(settings: { readonly dialect?: DialectName; readonly strict: boolean }): Dialect {
	if (settings.dialect === 'standard') return standard;
	return settings.strict ? specification : lenient;
}
