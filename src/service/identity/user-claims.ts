import type { UserInfo } from '#api/protocol/openid.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** What the scopes of a token let a client know of the user (OpenID Connect Core 1.0, section 5.4). */
export function userClaims({ seed }: Sandbox, username: string, scopes: readonly string[]): UserInfo {
	const { name = username, email } = seed.world.accounts.find((account) => account.username === username) ?? {};
	return {
		sub: username,
		...(scopes.includes('profile') && { name, preferred_username: username }),
		...(scopes.includes('email') && email !== undefined && { email })
	};
}
