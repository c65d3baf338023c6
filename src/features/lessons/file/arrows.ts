import type { Observation, Reading } from '#evidence/lesson-file/observations.ts';
import type { ExpectedRequest } from '../stage.ts';

const signIn = { from: 'browser', to: 'authorization', label: 'sign-in and consent' } as const;
const token = { from: 'application', to: 'authorization', label: 'POST token' } as const;
const resource = { from: 'application', to: 'resource', label: 'GET character' } as const;

/** The faint arrow of a step, by what its last condition is shown by. Undefined: nothing is sent, or it may be anything. */
export const arrows: Readonly<Record<(Observation | Reading)['kind'], ExpectedRequest | undefined>> = {
	code_issued: signIn,
	consent_denied: { ...signIn, label: 'sign-in, access denied' },
	code_exchanged: { ...token, label: 'POST token · code' },
	code_replayed: { ...token, label: 'POST token · same code' },
	refresh_token_issued: { ...token, label: 'POST token · offline' },
	token_refreshed: { ...token, label: 'POST token · refresh token' },
	token_request: token,
	token_rejected: { ...resource, label: 'request with the token' },
	access_revoked: { ...token, label: 'revocation' },
	resource_read: resource,
	requests_accepted: { ...resource, label: 'many × GET character' },
	limit_exceeded: { ...resource, label: 'one request too many' },
	error_seen: undefined,
	error_overcome: undefined,
	redirect_uri_rejected: { from: 'browser', to: 'authorization', label: 'GET auth' },
	blacklisted: { ...resource, label: 'requests over the limit' },
	no_response: { ...resource, label: 'one more request' },
	status_read: { ...resource, label: 'GET ratelimiting' },
	ticket_filed: { from: 'user', to: 'authorization', label: 'support ticket' },
	ticket_decided: { from: 'user', to: 'authorization', label: 'decision of the owner' },
	rule_passed: undefined,
	number_entered: undefined
};
