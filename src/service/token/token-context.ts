import type { GrantType } from '#api/protocol/grant-types.ts';
import type { TokenResponse } from '#api/protocol/token.ts';
import type {
	AccessToken,
	AuthorizationCode,
	DeviceAuthorization,
	DeviceGrant,
	Grant,
	RefreshToken
} from '../sandbox/records.ts';
import { describeCard, findTestCard } from '../sandbox/test-cards.ts';
import { takeResponseFault } from '../checks/faults.ts';
import { ClientContext } from './client-checks.ts';
import type { Proof } from './dpop-proof.ts';
import { accessTokenLifetime, type TokenClaims } from './tokens.ts';

export class TokenContext extends ClientContext {
	/** Set by `token.grant_type_supported`. */
	grantType!: GrantType;
	/** Digest of the code or refresh token that was sent. */
	credentialDigest!: string;
	/** Set by `token.code_known`. */
	code!: AuthorizationCode;
	/** Set by `token.device_code_known`. */
	device!: DeviceAuthorization;
	/** Set by `token.device_user_decided`. */
	deviceGrant!: DeviceGrant;
	/** Set by `token.refresh_token_known`. */
	refreshToken!: RefreshToken;
	/** Set by `token.refresh_token_known`. Undefined if it was revoked. */
	grantOfToken: Grant | undefined;
	/** Set by `token.refresh_token_active`. */
	grant!: Grant;
	/** Set by `token.subject_token_active`. */
	subjectToken!: AccessToken & { readonly username: string };
	/** Who acts for the user of the new token, the newest first. Set by `token.actor_known`. */
	actors: readonly string[] = [];
	/** The resources of the code or refresh token. Set where it is found. Undefined: all. */
	grantedResources: readonly string[] | undefined;
	/** Where the new access token works. Set by `token.resource_is_uri` and `token.resource_granted`. Undefined: at all resources. */
	resources: readonly string[] | undefined;
	/** Set by `dpop.proof_readable`. */
	proof: Proof | undefined;
	/** What the new access token may do. Set by the last check before it is issued. */
	scopes!: readonly string[];

	/** The thumbprint of the key that the code or refresh token is bound to. */
	get boundKey(): string | undefined {
		if (this.grantType === 'authorization_code') return this.code.jkt;
		return this.grantType === 'refresh_token' ? this.refreshToken.jkt : undefined;
	}

	/** The thumbprint of the key that the new access token is bound to. */
	get jkt(): string | undefined {
		return this.proof?.jkt;
	}
}

/** Fields that a client must ignore (RFC 6749, section 5.1). */
const extraFields = {
	profile: { name: 'Example', roles: ['reader'], settings: { theme: 'dark' } },
	session: null,
	issued: 1_795_255_200,
	notice: 'This field is longer than most. '.repeat(64)
} as const;

/** The fields of a token response, and those that a fault adds. */
export async function createTokenResponse(
	context: TokenContext,
	access_token: string,
	{ username, scopes }: Pick<TokenClaims, 'username' | 'scopes'>,
	{ refresh_token, id_token }: Pick<TokenResponse, 'refresh_token' | 'id_token'>
): Promise<TokenResponse & Partial<typeof extraFields>> {
	const fault = await takeResponseFault(context, 'token_response');
	return {
		...(fault === undefined ? {} : extraFields),
		access_token,
		expires_in: accessTokenLifetime(context, username),
		token_type: context.proof === undefined ? context.dialect.tokenType : 'DPoP',
		scope: scopes.join(' '),
		refresh_token,
		id_token
	};
}

/** The user and the scopes of issued tokens, and what a test card did, for the trace. */
export function describeIssued(
	context: TokenContext,
	{ username, scopes }: Pick<TokenClaims, 'username' | 'scopes'>,
	refresh_token?: string
): string {
	const card = findTestCard(context, 'account', username);
	const issued = `${username ?? 'Without a user'}, ${scopes.join(' ')}${refresh_token === undefined ? '' : ', with a refresh token'}`;
	return card === undefined ? issued : `${issued}. ${describeCard(card)}`;
}
