import { failedAt, passed } from '#evidence/exchanges.ts';
import { requestHeader, type Facts } from '#evidence/facts.ts';
import type { ExerciseCode } from '../exercise.ts';
import {
	calls,
	condition,
	hasInUrl,
	judged,
	metBy,
	objectSent,
	rejectedBy,
	rejectionsWhere
} from '../shared/judgments.ts';
import { character, signedIn } from '../shared/results.ts';

/** Characters of their own: the end of a path, and a name in letters that are more than a byte each. */
const ownNames = ['Who? No. #7', 'Łucja & Søn'];
const names = ['Mara Vell', 'Half/Life', '100% Orc', ...ownNames];

const headerOf = ({ entry }: Facts) => requestHeader(entry, 'authorization');
const lastSegment = ({ entry }: Facts) => /[^/?]*(?=\?|$)/.exec(entry.request.target)?.[0] ?? '';

export const code: ExerciseCode = {
	preset: { characters: ownNames },
	async use(run) {
		run.step('sign_in');
		await run.call('signIn', signedIn);
		run.step('read');
		for (const name of names) await run.call('getCharacter', character(name), name);
	},
	conditions: {
		header: judged(
			calls,
			{ in_url: hasInUrl('access_token', 'access token'), none: (call) => headerOf(call) === undefined },
			(call) => headerOf(call) !== undefined
		),
		accepted: judged(
			calls,
			{
				object_sent: objectSent,
				nothing: rejectedBy('access_token.known', 'literal_nothing'),
				other_scheme: (call) => call.status === 401 && !/^OAuth /i.test(headerOf(call) ?? ''),
				...rejectionsWhere(({ status }) => status === 401 || status === 403)
			},
			({ entry }) => passed(entry, 'access_token.known') || passed(entry, 'access_token.not_revoked')
		),
		name: judged(
			({ run }) => run.calls.filter((call) => lastSegment(call) !== 'Mara%20Vell'),
			{
				twice: ({ status, entry }) => status === 404 && /%25(?:20|2F|25)/i.test(entry.request.target),
				not_encoded: ({ entry, status }) => failedAt(entry, 'character.name_valid') || status === 404
			},
			({ ok, entry }) => ok && entry.request.target.includes('%')
		),
		read: condition([], ({ run }) => {
			const read = run.calls.filter(({ ok, entry }) => ok && entry.endpoint === 'character');
			return new Set(read.map(({ entry }) => entry.request.target)).size < names.length ? 'open' : metBy(read);
		})
	}
};
