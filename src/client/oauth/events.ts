import type { ClientError } from './client-error.ts';
import type { EndReason } from './token-store.ts';

/** What the OAuth client reports through `onEvent`. The types are stable. No event contains a token, code, state or verifier. */
export type OAuthEvent =
	| { readonly type: 'authorization_started'; readonly issuer: string; readonly scope: readonly string[] }
	| { readonly type: 'state_verified'; readonly issuer: string }
	/** A code that the user pasted: it carries no state, only PKCE binds it. */
	| { readonly type: 'manual_code_received'; readonly issuer: string }
	| { readonly type: 'code_exchange_started'; readonly issuer: string }
	/** The signature and the claims of the ID token are right. `claims`: their names. */
	| { readonly type: 'id_token_verified'; readonly issuer: string; readonly claims: readonly string[] }
	| { readonly type: 'callback_rejected'; readonly error: ClientError }
	/** A token response in XML was converted to JSON. */
	| { readonly type: 'xml_converted' }
	| ({ readonly type: 'tokens_saved' | 'tokens_refreshed' } & TokenSummary)
	| { readonly type: 'refresh_started'; readonly tokenSetId: string }
	/** Another tab or process had refreshed the token already. */
	| { readonly type: 'refresh_skipped'; readonly tokenSetId: string }
	| { readonly type: 'token_set_ended'; readonly tokenSetId: string; readonly reason: EndReason }
	/** There is no refresh token, and the service revokes by refresh token only (section 4). */
	| { readonly type: 'revocation_skipped'; readonly tokenSetId: string }
	| { readonly type: 'tokens_deleted'; readonly tokenSetId: string };

/** A token set without its secrets. */
export type TokenSummary = {
	readonly tokenSetId: string;
	readonly scope: readonly string[];
	/** Lifetime of the access token, in milliseconds; null: unknown. */
	readonly lifetime: number | null;
	readonly hasRefreshToken: boolean;
};

export type OAuthEventListener = (event: OAuthEvent) => void;
