import type { ForeignFinding } from '#evidence/har/har-reading.ts';
import type { BuilderStart } from '../request-builder/builder-link.ts';

/** The mistake of the request builder that shows what findings are about, by the ends of their ids. */
const requests: readonly (readonly [findings: RegExp, start: BuilderStart])[] = [
	[/redirect_uri_same$|redirect_uri_token$/, { kind: 'exchange', mistake: 'other_redirect_uri' }],
	[/redirect_uri|callback_uri$|other_host$/, { kind: 'authorization', mistake: 'redirect_slash' }],
	[
		/^request\.(?:state|protected)|state_(?:lost|returned)$|cookie$|session$/,
		{ kind: 'authorization', mistake: 'missing_state' }
	],
	[/verifier$|cause\.pkce$/, { kind: 'exchange', mistake: 'wrong_verifier' }],
	[/challenge|pkce/, { kind: 'authorization', mistake: 'plain_challenge' }],
	[/missing_scope$|scope$|consent$/, { kind: 'authorization', mistake: 'unknown_scope' }],
	[/response_type$/, { kind: 'authorization', mistake: 'response_type_token' }],
	[/cause\.client$|secret_on_server$/, { kind: 'exchange', mistake: 'secret_of_other' }],
	[/in_url$|no_secret$|call\.header$/, { kind: 'character', mistake: 'token_in_query' }],
	[/exchange\.once$|code_(?:used|expired)$|cause\.grant$|clock$/, { kind: 'exchange', mistake: 'code_twice' }],
	[/grant_type$|json_token_request$|in_body$/, { kind: 'exchange', mistake: 'json_body' }],
	[/renewed$|refresh_when_due$|token_rejected$/, { kind: 'character', mistake: 'expired_token' }],
	[/right_credential$|rotation$/, { kind: 'refresh', mistake: 'access_token_as_refresh' }],
	[/no_token$/, { kind: 'character', mistake: 'missing_token' }],
	[/^signout\./, { kind: 'revoke', mistake: 'revoked_twice' }]
];

/** The request of the builder that reproduces a finding. Undefined where it has none. */
export function requestFor({ id }: Pick<ForeignFinding, 'id'>): BuilderStart | undefined {
	return requests.find(([pattern]) => pattern.test(id))?.[1];
}
