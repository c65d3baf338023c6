import { judgeChecks } from '../judge.ts';
import { countOf, type Rule } from '../rule.ts';

/** Rules about requests that the client pushes (RFC 9126). */
export const pushedRules: readonly Rule[] = [
	{
		id: 'request.pushed_fresh',
		area: 'request',
		dialect: 'standard',
		title: 'Each sign-in pushes its own request',
		severity: 3,
		needs: 'a pushed request that is opened',
		sections: ['RFC 9126 §4'],
		fix: 'Push a request when the user starts a sign-in, and open it once.',
		failed: (count) =>
			`${countOf(count, 'request')} had a request_uri that was used, had expired or is of another client.`,
		// A user can open one link twice.
		judge: (run) => judgeChecks(run, ['auth.request_uri_valid'], 2)
	},
	{
		id: 'request.pushed_alone',
		area: 'request',
		dialect: 'standard',
		title: 'Nothing but client_id is beside request_uri',
		severity: 3,
		needs: 'a pushed request that is opened',
		sections: ['RFC 9126 §4'],
		fix: 'Build the URL from client_id and request_uri, without the parameters that were pushed.',
		failed: (count) => `${countOf(count, 'request')} had further parameters in the URL.`,
		judge: (run) => judgeChecks(run, ['auth.request_uri_alone'])
	}
];

/** Rules about assertions that authenticate the client (RFC 7523). */
export const assertionRules: readonly Rule[] = [
	{
		id: 'assertion.fresh',
		area: 'assertion',
		dialect: 'standard',
		title: 'Each request has a new assertion',
		severity: 2,
		needs: 'requests with a client_assertion',
		sections: ['RFC 7523 §3'],
		fix: 'Sign an assertion with a new jti for each request, also for a repeated one.',
		failed: (count) => `${countOf(count, 'request')} had an assertion that was used before.`,
		judge: (run) => judgeChecks(run, ['client_assertion.not_replayed'])
	},
	{
		id: 'assertion.short',
		area: 'assertion',
		dialect: 'standard',
		title: 'Assertions are valid now, and for a short time',
		severity: 2,
		needs: 'requests with a client_assertion',
		sections: ['RFC 7523 §3'],
		fix: 'Set exp to one minute ahead, in seconds, when you sign. Do not keep assertions.',
		failed: (count) =>
			`${countOf(count, 'assertion')} had expired, were not valid yet, or were valid for more than an hour.`,
		judge: (run) => judgeChecks(run, ['client_assertion.time_valid'])
	},
	{
		id: 'assertion.audience',
		area: 'assertion',
		dialect: 'standard',
		title: 'Assertions are for this server',
		severity: 2,
		needs: 'requests with a client_assertion',
		sections: ['RFC 7523 §3'],
		fix: 'Set aud to the issuer of the metadata, character by character.',
		failed: (count) => `${countOf(count, 'assertion')} named another server as aud.`,
		judge: (run) => judgeChecks(run, ['client_assertion.audience_matches'])
	}
];
