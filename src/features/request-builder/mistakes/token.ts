import { grants } from '#api/protocol/grant-types.ts';
import { add, set, valueOf, type RequestDraft } from '../draft.ts';
import { accepted, rejectedBy, type MistakeCode } from './mistake.ts';

const exchange = ['exchange'] as const;
const refresh = ['refresh'] as const;
/** Of all token requests. */
const all = grants.map(({ kind }) => kind);
const verifier = 'token.code_verifier_matches';
const client = 'token.client_authenticated';

/** Mistakes of token requests (specification, section 2.3). */
export const tokenMistakes: readonly MistakeCode[] = [
	{
		id: 'code_twice',
		kinds: exchange,
		times: 2,
		change: (draft) => draft,
		expect: rejectedBy('token.code_not_used', 'already_used')
	},
	{
		id: 'other_redirect_uri',
		kinds: exchange,
		change: (draft) => set(draft, 'redirect_uri', `${valueOf(draft, 'redirect_uri')}/`),
		expect: rejectedBy('token.redirect_uri_matches', 'different')
	},
	{
		id: 'missing_verifier',
		kinds: exchange,
		change: (draft) => set(draft, 'code_verifier', undefined),
		expect: ({ usesPkce }) =>
			usesPkce ? { check: verifier, cause: 'missing_verifier' } : accepted(verifier, 'missing_verifier')
	},
	{
		id: 'wrong_verifier',
		kinds: exchange,
		change: (draft) => set(draft, 'code_verifier', 'the-verifier-of-another-authorization-request-'),
		expect: ({ usesPkce }) => ({
			check: verifier,
			cause: usesPkce ? 'wrong_verifier' : 'unexpected_verifier'
		})
	},
	{
		id: 'access_token_as_refresh',
		kinds: refresh,
		change: (draft, { accessToken }) => set(draft, 'refresh_token', accessToken),
		expect: rejectedBy('token.refresh_token_known')
	},
	{
		id: 'wider_scope',
		kinds: refresh,
		change: (draft) => set(draft, 'scope', 'character_read character_write'),
		expect: rejectedBy('token.scope_not_widened', 'not_granted')
	},
	{
		id: 'secret_of_other',
		kinds: all,
		change: (draft, { other }) =>
			set(draft, 'client_secret', other.client_secret || 'the-secret-of-another-application'),
		expect: ({ application }) =>
			application.hasKeys === true
				? { check: 'client_assertion.sent_alone', cause: 'with_secret' }
				: { check: client, cause: 'wrong_secret' }
	},
	{
		id: 'http_basic',
		kinds: all,
		dialect: 'specification',
		change: withBasic,
		expect: ({ isStrict }) =>
			isStrict ? { check: client, cause: 'credentials_in_header' } : accepted(client, 'http_basic')
	},
	{
		id: 'method_get',
		kinds: all,
		change: (draft) => ({
			...draft,
			method: 'GET',
			parameters: draft.parameters.map((one) => (one.in === 'form' ? { ...one, in: 'query' } : one))
		}),
		expect: rejectedBy('token.method_is_post')
	},
	{
		id: 'json_body',
		kinds: all,
		change: (draft) => ({ ...draft, bodyType: 'json' }),
		expect: rejectedBy('token.form_is_valid', 'wrong_content_type')
	}
];

function withBasic(draft: RequestDraft): RequestDraft {
	const credentials = ['client_id', 'client_secret'].map((name) => encodeURIComponent(valueOf(draft, name))).join(':');
	const without = set(set(draft, 'client_id', undefined), 'client_secret', undefined);
	return add(without, 'header', 'Authorization', `Basic ${btoa(credentials)}`);
}
