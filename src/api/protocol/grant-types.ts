/** What differs between the grants for everything but the token endpoint, whose checks are in src/service/token/grants. */
type GrantRow = {
	/** What the client exchanges for tokens. */
	readonly offers: string;
	/** A `PausePoint`: where its token request can be held. */
	readonly pausePoint: string;
	/** What its token request is called in the evidence. */
	readonly exchange: string;
};

/** What clients exchange for tokens (specification, section 2.3; RFC 6749, section 1.3). */
export const grants = {
	authorization_code: { offers: 'a code', pausePoint: 'code_exchange', exchange: 'exchange' },
	refresh_token: { offers: 'a refresh token', pausePoint: 'refresh', exchange: 'refresh' }
} as const satisfies Record<string, GrantRow>;

/** A value of `grant_type`. */
export type GrantType = keyof typeof grants;

export function isGrantType(name: string | undefined): name is GrantType {
	return name !== undefined && Object.hasOwn(grants, name);
}

/** The values of `grant_type` that the service supports. */
export const grantTypes: readonly GrantType[] = Object.keys(grants).filter(isGrantType);
