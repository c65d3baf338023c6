import { kindLimits } from '#api/world/record-values.ts';
import { add, set, valueOf, type RequestDraft } from '../draft.ts';
import { resourceKinds } from '../request-kinds.ts';
import { rejectedBy, type Mistake } from './mistake.ts';

const kinds = resourceKinds;
const records = ['records', 'record', 'new_record'] as const;
const sentOnce = 'access_token.sent_once';

/** Mistakes of resource requests (specification, section 5.3). */
export const resourceMistakes: readonly Mistake[] = [
	{
		id: 'token_in_query',
		label: 'Access token in the query',
		kinds,
		dialect: 'specification',
		change: (draft) => add(set(draft, 'Authorization', undefined), 'query', 'access_token', tokenOf(draft)),
		expect: () => ({
			check: sentOnce,
			why: 'The specification allows it. URLs end up in logs, in histories and in the Referer header, so send the header.'
		})
	},
	{
		id: 'bearer',
		label: 'Bearer in place of OAuth',
		kinds,
		dialect: 'specification',
		change: (draft) => set(draft, 'Authorization', `Bearer ${tokenOf(draft)}`),
		expect: ({ isStrict }) =>
			isStrict
				? { check: sentOnce, cause: 'bearer_scheme' }
				: {
						check: sentOnce,
						why: 'This sandbox is not strict, so it also accepts Bearer. The specification only has OAuth.'
					}
	},
	{
		id: 'token_twice',
		label: 'Access token in the header and in the query',
		kinds,
		change: (draft) => add(draft, 'query', 'access_token', tokenOf(draft)),
		expect: rejectedBy(sentOnce, 'sent_twice')
	},
	{
		id: 'missing_token',
		label: 'No access token',
		kinds,
		change: (draft) => set(draft, 'Authorization', undefined),
		expect: rejectedBy(sentOnce, 'missing_token')
	},
	{
		id: 'expired_token',
		label: 'Expired access token',
		kinds,
		before: 'end_access_token',
		change: (draft) => draft,
		expect: rejectedBy('access_token.known')
	},
	{
		id: 'name_in_lower_case',
		label: 'Name in lower case',
		kinds: ['character'],
		change: (draft) => set(draft, 'character_name', valueOf(draft, 'character_name').toLowerCase()),
		expect: rejectedBy('character.exists')
	},
	{
		id: 'no_permission',
		label: 'Token without the permission',
		kinds: records,
		before: 'narrow_token',
		change: (draft) => draft,
		expect: rejectedBy('records.scope_granted')
	},
	{
		id: 'over_limit',
		label: 'Over the limit',
		kinds: records,
		before: 'use_up_limit',
		change: (draft) => draft,
		expect: rejectedBy('fault.rate_limit_not_injected')
	},
	{
		id: 'unknown_filter',
		label: 'Filter by an unknown field',
		kinds: ['records'],
		change: (draft) => add(draft, 'query', 'no_such_field', 'x'),
		expect: rejectedBy('records.query_valid')
	},
	{
		id: 'long_page',
		label: 'per_page over the limit',
		kinds: ['records'],
		change: (draft) => set(draft, 'per_page', String(kindLimits.page + 1)),
		expect: rejectedBy('records.query_valid')
	},
	{
		id: 'unknown_id',
		label: 'Id that the account does not have',
		kinds: ['record'],
		change: (draft) => set(draft, 'record_id', 'of-another-account'),
		expect: rejectedBy('records.exists')
	},
	{
		id: 'unknown_field',
		label: 'Field that the kind does not have',
		kinds: ['new_record'],
		change: (draft) => add(draft, 'form', 'no_such_field', 'x'),
		expect: rejectedBy('records.body_valid')
	},
	{
		id: 'form_body',
		label: 'Form in place of JSON',
		kinds: ['new_record'],
		change: (draft) => ({ ...draft, bodyType: 'form' }),
		expect: rejectedBy('records.body_valid', 'not_json')
	}
];

function tokenOf(draft: RequestDraft): string {
	return valueOf(draft, 'Authorization').replace(/^\S+ /, '');
}
