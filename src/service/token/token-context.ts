import { Context } from '../context.ts';
import type { FormFields } from '../form-fields.ts';
import type { Application } from '../records.ts';

/** A token request while it is being answered. */
export class TokenContext extends Context {
	/** Set by the step that reads the form. */
	form!: FormFields;
	/** Set by the step that authenticates the client. */
	application!: Application;
	/** Set by the step that chooses the grant. */
	grant_type!: 'authorization_code' | 'refresh_token';
}

/** The fields of a token response (specification, section 2.4), with `token_type` and `scope` as additional ones. */
export type TokenResponse = {
	readonly access_token: string;
	/** Seconds. */
	readonly expires_in: number;
	/** The scheme that resources take; a sandbox that is not strict names the one that today's libraries know. */
	readonly token_type: 'OAuth' | 'Bearer';
	readonly scope: string;
	readonly refresh_token?: string;
};

/** Puts the fields of a token response together. */
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
