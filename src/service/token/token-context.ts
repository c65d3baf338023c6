import type { TokenResponse } from '#wire/protocol/token.ts';
import { Context } from '../context.ts';
import type { FormFields } from '../form-fields.ts';
import type { Application, AuthorizationCode, RefreshToken } from '../records.ts';

/** The context of a token request. */
export class TokenContext extends Context {
	/** Set by `token.form_is_valid`. */
	form!: FormFields;
	/** Set by `token.client_authenticated`. */
	application!: Application;
	/** Set by `token.grant_type_supported`. */
	grantType!: 'authorization_code' | 'refresh_token';
	/** Digest of the code or refresh token that was sent. */
	credentialDigest!: string;
	/** Set by `token.code_known`. */
	code!: AuthorizationCode;
	/** Set by `token.refresh_token_known`. */
	refreshToken!: RefreshToken;
	/** What the new access token may do. Set by the last check before it is issued. */
	scopes!: readonly string[];
}

/** The fields of a token response. */
export function tokenResponse(
	context: TokenContext,
	access_token: string,
	scopes: readonly string[],
	refresh_token?: string
): TokenResponse {
	const { lifetimes, strict } = context.sandbox.state.settings;
	return {
		access_token,
		expires_in: lifetimes.access_token,
		token_type: strict ? 'OAuth' : 'Bearer',
		scope: scopes.join(' '),
		...(refresh_token === undefined ? {} : { refresh_token })
	};
}
