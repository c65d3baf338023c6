import { add, set, valueOf, type RequestDraft } from '../draft.ts';
import { rejectedBy, type Mistake } from './mistake.ts';

const kinds = ['character', 'ratelimits'] as const;
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
	}
];

function tokenOf(draft: RequestDraft): string {
	return valueOf(draft, 'Authorization').replace(/^\S+ /, '');
}
