import { digest } from '#hosts/digest.ts';
import { subjectOf, type LabFact } from '../engine/lab.ts';
import type { LabRun } from '../engine/lab-run.ts';

/** What the service recorded of a token. */
function stateOf(
	{ service, clock }: LabRun,
	token: string
): { word: 'used_twice' | 'replaced' | 'expired' | 'works' } & Pick<LabFact, 'tone'> {
	const id = digest(token);
	const events = service.entries.flatMap(({ credentials }) => credentials);
	const issued = events.find((event) => event.type === 'issued' && event.id === id);
	const { family, expires = Infinity } = issued?.type === 'issued' ? issued : {};
	const end = events.find((event) => event.type === 'ended' && (event.id === id || event.id === family));
	if (end?.type === 'ended') return { word: end.reason === 'replayed' ? 'used_twice' : 'replaced', tone: 'error' };
	return expires <= clock.now() ? { word: 'expired', tone: 'plain' } : { word: 'works', tone: 'ok' };
}

/** One store of tokens, and its copy. */
export const storedTokens = subjectOf(
	[
		'copy',
		'copied',
		'store',
		'stored',
		'refresh',
		'access',
		'own',
		'used_twice',
		'replaced',
		'expired',
		'works',
		'none',
		'ended'
	],
	(run, word) => {
		const factOf = (label: string, token: string): LabFact => {
			const { word: state, tone = 'plain' } = stateOf(run, token);
			return { label, value: token, tone, note: word(state) };
		};
		const factsOf = (stored: LabRun['backup']) =>
			stored.flatMap(({ access, refresh }) => [
				...(refresh === undefined ? [] : [factOf(word('refresh'), refresh)]),
				factOf(word('access'), access)
			]);
		const own = run.copied.get('access_token');
		const now = factsOf(run.viewer.stored);
		return [
			{
				title: word('copy'),
				note: word('copied'),
				isOfAttacker: true,
				facts: [...factsOf(run.backup), ...(own === undefined ? [] : [factOf(word('own'), own)])]
			},
			{
				title: word('store'),
				note: word('stored'),
				isOfAttacker: false,
				facts: now.length > 0 ? now : [{ label: word('none'), note: word('ended'), tone: 'error' }]
			}
		];
	}
);
