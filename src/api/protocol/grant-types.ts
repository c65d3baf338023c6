import type { CheckId } from '../checks.ts';
import type { DialectName } from '../dialect.ts';

/** A field of a token request, in the order in which clients send them. */
type GrantField = {
	/** What it is for. */
	readonly meaning: string;
	/** The check that reads it. Absent: no check rejects it. */
	readonly check?: CheckId;
	/** A request may leave it out. */
	readonly isOptional?: true;
	/** Its only values. The last one is that of an example. Absent: any text. */
	readonly values?: readonly string[];
	/** A value for an example. Absent: empty, it comes from an earlier response. */
	readonly example?: string;
};

/** What differs between the grants for everything but the token endpoint, whose checks are in src/service/token/grants. */
type GrantRow = {
	/** The only dialect that has it. Absent: all. */
	readonly dialect?: DialectName;
	/** The client gets access for itself: without a user, without a redirect, and only if it can keep a secret. */
	readonly isForClient?: true;
	/** No redirect leads to it. A client with such grants alone needs no redirect URI. */
	readonly hasNoRedirect?: true;
	/** What the client exchanges for tokens. */
	readonly offers: string;
	/** What its token request is called in the evidence, the request builder and links. */
	readonly kind: string;
	/** The same for users. */
	readonly label: string;
	/** The same in the OpenAPI document. */
	readonly schema: string;
	/** Those of its token request, without `grant_type` and the credentials of the client. */
	readonly fields: Readonly<Record<string, GrantField>>;
	/** Where its token request can be held, and what a lost, a repeated and a late one test. `late` only where the time matters. */
	readonly pause: {
		readonly point: string;
		readonly drop: string;
		readonly duplicate: string;
		readonly late?: { readonly lifetime: 'code'; readonly question: string };
	};
};

/** What clients exchange for tokens (specification, section 2.3; RFC 6749, section 1.3). */
const table = {
	authorization_code: {
		offers: 'a code',
		kind: 'exchange',
		label: 'Code exchange',
		schema: 'codeExchange',
		fields: {
			code: { meaning: 'From the redirect back. It works once.', check: 'token.code_known' },
			redirect_uri: { meaning: 'The same as in the authorization request.', check: 'token.redirect_uri_matches' },
			code_verifier: {
				meaning: 'The secret whose digest was the code_challenge (PKCE, RFC 7636).',
				check: 'token.code_verifier_matches',
				isOptional: true
			},
			access_type: {
				meaning: 'offline asks for a refresh token. An installed application can ask for it here.',
				isOptional: true,
				values: ['online', 'offline']
			}
		},
		pause: {
			point: 'code_exchange',
			drop: 'Does the application tell the user when the service is silent?',
			duplicate: 'A code used twice ends the tokens that it led to.',
			late: { lifetime: 'code', question: 'Is an expired code handled? The sandbox clock moves.' }
		}
	},
	refresh_token: {
		offers: 'a refresh token',
		kind: 'refresh',
		label: 'Refresh',
		schema: 'refreshRequest',
		fields: {
			refresh_token: { meaning: 'Proves that the user gave permission.', check: 'token.refresh_token_known' },
			scope: {
				meaning: 'Fewer permissions than before, if present.',
				check: 'token.scope_not_widened',
				isOptional: true,
				example: 'character_read'
			}
		},
		pause: {
			point: 'refresh',
			drop: 'Does the application keep its refresh token?',
			duplicate: 'Two refreshes at a time: do both access tokens work?'
		}
	},
	client_credentials: {
		dialect: 'standard',
		isForClient: true,
		hasNoRedirect: true,
		offers: 'the credentials of the client',
		kind: 'client_credentials',
		label: 'Client credentials',
		schema: 'clientCredentialsRequest',
		fields: {
			scope: {
				meaning: 'Permissions that need no user.',
				check: 'token.scope_without_user',
				isOptional: true,
				example: 'character_read'
			}
		},
		pause: {
			point: 'client_credentials',
			drop: 'Does the application ask again, and after a pause?',
			duplicate: 'Two tokens are issued, and both work.'
		}
	},
	'urn:ietf:params:oauth:grant-type:device_code': {
		dialect: 'standard',
		hasNoRedirect: true,
		offers: 'a device code',
		kind: 'device_poll',
		label: 'Device poll',
		schema: 'deviceTokenRequest',
		fields: {
			device_code: {
				meaning: 'From the device authorization response. Sent again after each interval.',
				check: 'token.device_code_known'
			}
		},
		pause: {
			point: 'device_poll',
			drop: 'Does the device ask again, after a longer interval?',
			duplicate: 'The second request comes too early, and gets slow_down.'
		}
	},
	'urn:ietf:params:oauth:grant-type:token-exchange': {
		dialect: 'standard',
		isForClient: true,
		hasNoRedirect: true,
		offers: 'an access token of a user',
		kind: 'token_exchange',
		label: 'Token exchange',
		schema: 'tokenExchangeRequest',
		fields: {
			subject_token: { meaning: 'The access token of a user.', check: 'token.subject_token_active' },
			subject_token_type: {
				meaning: 'The type of access tokens.',
				check: 'token.subject_token_present',
				values: ['urn:ietf:params:oauth:token-type:access_token']
			},
			actor_token: {
				meaning: 'An own access token, of the one who acts. Without it, the application itself.',
				check: 'token.actor_known',
				isOptional: true
			},
			actor_token_type: {
				meaning: 'The type of access tokens.',
				check: 'token.actor_known',
				isOptional: true,
				values: ['urn:ietf:params:oauth:token-type:access_token']
			},
			audience: {
				meaning: 'The URL of the resource that the new token is for.',
				check: 'token.audience_is_uri',
				isOptional: true
			},
			scope: {
				meaning: 'Fewer permissions than the token has.',
				check: 'token.scope_narrowed',
				isOptional: true,
				example: 'character_read'
			},
			requested_token_type: {
				meaning: 'The type of access tokens, or nothing.',
				check: 'token.subject_token_present',
				isOptional: true,
				values: ['urn:ietf:params:oauth:token-type:access_token']
			}
		},
		pause: {
			point: 'token_exchange',
			drop: 'Does the application stop, and not send the token of the user further?',
			duplicate: 'Two tokens are issued, and both work.'
		}
	}
} as const satisfies Record<string, GrantRow>;

/** A value of `grant_type`. */
export type GrantType = keyof typeof table;
/** What the token request of a grant is called in the evidence and the request builder. */
export type GrantKind = (typeof table)[GrantType]['kind'];
/** Where the token request of a grant can be held. */
export type GrantPoint = (typeof table)[GrantType]['pause']['point'];

/** A grant. */
export type GrantDefinition = GrantRow & {
	readonly type: GrantType;
	readonly kind: GrantKind;
	readonly pause: { readonly point: GrantPoint };
};

export function isGrantType(name: string | undefined): name is GrantType {
	return name !== undefined && Object.hasOwn(table, name);
}

/** All grants, in the order of their table. */
export const grants: readonly GrantDefinition[] = Object.keys(table)
	.filter(isGrantType)
	.map((type) => ({ type, ...table[type] }));

/** The grant with this value of `grant_type`. */
export function grantOf(type: string | undefined): GrantDefinition | undefined {
	return grants.find((grant) => grant.type === type);
}

/** Whether applications of a kind may use a grant. An installed application cannot keep a secret, so it gets no access for itself. */
export function mayUse(kind: 'web' | 'installed', type: string): boolean {
	return kind === 'web' || grantOf(type)?.isForClient !== true;
}

/** Whether an application registered a grant. One that named none may use all (RFC 7591, section 2). */
export function isRegisteredFor(
	{ grant_types }: { readonly grant_types?: readonly string[] },
	type: GrantType
): boolean {
	return grant_types?.includes(type) ?? true;
}

/** The values of `grant_type` that a dialect has. */
export function grantTypesOf(dialect: DialectName): GrantType[] {
	return grants.flatMap(({ type, dialect: only = dialect }) => (only === dialect ? type : []));
}

/** A value for each grant, by its kind. */
export function byKind<T>(valueOf: (grant: GrantDefinition) => T): Readonly<Record<GrantKind, T>>;
export function byKind<T>(valueOf: (grant: GrantDefinition) => T): Readonly<Record<string, T>> {
	return Object.fromEntries(grants.map((grant) => [grant.kind, valueOf(grant)]));
}

/** A value for each grant, by the point at which its token request can be held. */
export function byPoint<T>(valueOf: (grant: GrantDefinition) => T): Readonly<Record<GrantPoint, T>>;
export function byPoint<T>(valueOf: (grant: GrantDefinition) => T): Readonly<Record<string, T>> {
	return Object.fromEntries(grants.map((grant) => [grant.pause.point, valueOf(grant)]));
}
