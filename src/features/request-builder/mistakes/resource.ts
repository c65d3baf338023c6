import { kindLimits } from '#api/world/record-values.ts';
import { add, set, valueOf, type RequestDraft } from '../draft.ts';
import { resourceKinds } from '../request-kinds.ts';
import { accepted, rejectedBy, type MistakeCode } from './mistake.ts';

const kinds = resourceKinds;
const records = ['records', 'record', 'new_record'] as const;
const sentOnce = 'access_token.sent_once';

/** Mistakes of resource requests (specification, section 5.3). */
export const resourceMistakes: readonly MistakeCode[] = [
	{
		id: 'token_in_query',
		kinds,
		dialect: 'specification',
		change: (draft) => add(set(draft, 'Authorization', undefined), 'query', 'access_token', tokenOf(draft)),
		expect: () => accepted(sentOnce, 'token_in_query')
	},
	{
		id: 'bearer',
		kinds,
		dialect: 'specification',
		change: (draft) => set(draft, 'Authorization', `Bearer ${tokenOf(draft)}`),
		expect: ({ isStrict }) => (isStrict ? { check: sentOnce, cause: 'bearer_scheme' } : accepted(sentOnce, 'bearer'))
	},
	{
		id: 'token_twice',
		kinds,
		change: (draft) => add(draft, 'query', 'access_token', tokenOf(draft)),
		expect: rejectedBy(sentOnce, 'sent_twice')
	},
	{
		id: 'missing_token',
		kinds,
		change: (draft) => set(draft, 'Authorization', undefined),
		expect: rejectedBy(sentOnce, 'missing_token')
	},
	{
		id: 'expired_token',
		kinds,
		before: 'end_access_token',
		change: (draft) => draft,
		expect: rejectedBy('access_token.known')
	},
	{
		id: 'name_in_lower_case',
		kinds: ['character'],
		change: (draft) => set(draft, 'character_name', valueOf(draft, 'character_name').toLowerCase()),
		expect: rejectedBy('character.exists')
	},
	{
		id: 'no_permission',
		kinds: records,
		before: 'narrow_token',
		change: (draft) => draft,
		expect: rejectedBy('records.scope_granted')
	},
	{
		id: 'over_limit',
		kinds: records,
		before: 'use_up_limit',
		change: (draft) => draft,
		expect: rejectedBy('fault.rate_limit_not_injected')
	},
	{
		id: 'unknown_filter',
		kinds: ['records'],
		change: (draft) => add(draft, 'query', 'no_such_field', 'x'),
		expect: rejectedBy('records.query_valid')
	},
	{
		id: 'long_page',
		kinds: ['records'],
		change: (draft) => set(draft, 'per_page', String(kindLimits.page + 1)),
		expect: rejectedBy('records.query_valid')
	},
	{
		id: 'unknown_id',
		kinds: ['record'],
		change: (draft) => set(draft, 'record_id', 'of-another-account'),
		expect: rejectedBy('records.exists')
	},
	{
		id: 'unknown_field',
		kinds: ['new_record'],
		change: (draft) => add(draft, 'form', 'no_such_field', 'x'),
		expect: rejectedBy('records.body_valid')
	},
	{
		id: 'form_body',
		kinds: ['new_record'],
		change: (draft) => ({ ...draft, bodyType: 'form' }),
		expect: rejectedBy('records.body_valid', 'not_json')
	}
];

function tokenOf(draft: RequestDraft): string {
	return valueOf(draft, 'Authorization').replace(/^\S+ /, '');
}
