import { failedAt, passed } from '#evidence/exchanges.ts';
import { requestHeader, type Facts } from '#evidence/facts.ts';
import type { ExerciseCode } from '../exercise.ts';
import {
	condition,
	gotToken,
	inStep,
	judged,
	kindIn,
	metBy,
	objectSent,
	rejectedBy,
	rejectionsWhere
} from '../shared/judgments.ts';
import { anError, signedIn } from '../shared/results.ts';

const passes =
	(check: string) =>
	({ entry }: Facts) =>
		passed(entry, check);
const isForm = ({ entry }: Facts) =>
	requestHeader(entry, 'content-type')?.startsWith('application/x-www-form-urlencoded') === true;
const tokenRequests = inStep('sign_in', 'exchange', 'other_token_request');
const isNoForm = rejectedBy('token.form_is_valid');
/** What other conditions name. */
const named = ['token.redirect_uri_matches', 'token.code_verifier_matches', 'token.code_not_used'];

export const code: ExerciseCode = {
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		run.step('rejected', { probe: 'refused_exchange' });
		await run.api.request('POST /control/faults', {
			body: { endpoint: 'token', kind: 'oauth_error', error: 'invalid_grant', times: null }
		});
		await run.call('signIn', anError);
	},
	conditions: {
		form: judged(
			tokenRequests,
			{
				in_url: ({ entry }) => entry.request.body === '' && entry.request.target.includes('?'),
				json: {
					shownBy: (facts) => isNoForm(facts) && facts.entry.request.body.trimStart().startsWith('{'),
					lines: /application\/json|JSON\.stringify/
				},
				other_type: (facts) => isNoForm(facts) && /^[\w.]+=/.test(facts.entry.request.body) && !isForm(facts),
				no_form: isNoForm,
				other_method: rejectedBy('token.method_is_post')
			},
			passes('token.form_is_valid')
		),
		redirect_uri: judged(
			tokenRequests,
			{
				none: rejectedBy('token.redirect_uri_matches', 'missing_field'),
				other: rejectedBy('token.redirect_uri_matches')
			},
			passes('token.redirect_uri_matches')
		),
		verifier: judged(
			tokenRequests,
			{
				none: rejectedBy('token.code_verifier_matches', 'missing_verifier'),
				challenge: rejectedBy('token.code_verifier_matches', 'verifier_is_challenge'),
				other: rejectedBy('token.code_verifier_matches')
			},
			passes('token.code_verifier_matches')
		),
		once: condition(['several', 'again'], (evidence, fail) => {
			const sent = kindIn(evidence, 'sign_in', 'exchange', 'other_token_request');
			if (sent.length < 2) return metBy(sent);
			const codes = sent.flatMap(({ credential }) => credential?.id ?? []);
			return fail(new Set(codes).size === codes.length ? 'several' : 'again', sent, { count: sent.length });
		}),
		token: judged(
			tokenRequests,
			{
				other_grant: rejectedBy('token.grant_type_supported'),
				in_header: rejectedBy('token.client_authenticated', 'credentials_in_header'),
				no_secret: rejectedBy('token.client_authenticated', 'missing_secret'),
				object_sent: objectSent,
				nothing: rejectedBy('token.code_known', 'literal_nothing'),
				...rejectionsWhere(({ entry }) => !named.some((check) => failedAt(entry, check)))
			},
			gotToken
		)
	}
};
