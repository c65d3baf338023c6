import type { ForeignFinding } from '#evidence/har/har-reading.ts';
import type { BuilderStart } from '../request-builder/builder-link.ts';

/** The mistake of the request builder that shows what a finding is about. The first pattern that matches its id. */
const requests: readonly (readonly [finding: RegExp, start: BuilderStart])[] = [
	[/redirect_uri_same|cause\.token_redirect/, { kind: 'exchange', mistake: 'other_redirect_uri' }],
	[/redirect/, { kind: 'authorization', mistake: 'redirect_slash' }],
	[/request\.(?:state|protected)|callback\.state|cause\.state/, { kind: 'authorization', mistake: 'missing_state' }],
	[/verifier|pkce/, { kind: 'exchange', mistake: 'wrong_verifier' }],
	[/challenge/, { kind: 'authorization', mistake: 'plain_challenge' }],
	[/scope/, { kind: 'authorization', mistake: 'unknown_scope' }],
	[/request\.no_secret|call\.(?:no_secret|header)|in_url|query/, { kind: 'character', mistake: 'token_in_query' }],
	[/name_encoded/, { kind: 'character', mistake: 'name_in_lower_case' }],
	[/exchange\.(?:once|one_try)|code_(?:reused|used|expired)|cause\.code/, { kind: 'exchange', mistake: 'code_twice' }],
	[/secret|invalid_client|client/, { kind: 'exchange', mistake: 'secret_of_other' }],
	[/exchange\.(?:form|in_body)|grant/, { kind: 'exchange', mistake: 'json_body' }],
	[/refresh_at_expiry|refresh_when_due|expir|invalid_token/, { kind: 'character', mistake: 'expired_token' }],
	[/^token\.|refresh/, { kind: 'refresh', mistake: 'access_token_as_refresh' }],
	[/signout|revo/, { kind: 'revoke', mistake: 'revoked_twice' }],
	[/^call\.|^limit\.|rate/, { kind: 'character', mistake: 'missing_token' }]
];

/** The request of the builder that reproduces a finding. Undefined where it has none. */
export function requestFor({ id }: Pick<ForeignFinding, 'id'>): BuilderStart | undefined {
	return requests.find(([pattern]) => pattern.test(id))?.[1];
}
