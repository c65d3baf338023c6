/** The scopes of OpenID Connect, and what each lets an application know (OpenID Connect Core 1.0, section 5.4). */
export const identityScopes: ReadonlyMap<string, string> = new Map([
	['openid', 'Know your user name'],
	['profile', 'Know your name'],
	['email', 'Know your email address']
]);

/** What the scopes of OpenID Connect are called in lists of permissions. */
export const identityTitles: ReadonlyMap<string, string> = new Map([
	['openid', 'User name'],
	['profile', 'Name'],
	['email', 'Email address']
]);

/** The scope that asks for an ID token. */
export const openidScope = 'openid';
