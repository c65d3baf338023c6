import { digest } from '#hosts/web-service.ts';
import type { LabFact, LabSubject } from '../engine/lab.ts';
import type { LabRun } from '../engine/lab-run.ts';

/** What the service recorded of a token. */
function tokenFact({ service, clock }: LabRun, label: string, token: string): LabFact {
	const id = digest(token);
	const events = service.entries.flatMap(({ credentials }) => credentials);
	const issued = events.find((event) => event.type === 'issued' && event.id === id);
	const { family, expires = Infinity } = issued?.type === 'issued' ? issued : {};
	const end = events.find((event) => event.type === 'ended' && (event.id === id || event.id === family));
	if (end?.type === 'ended')
		return { label, value: token, tone: 'error', note: end.reason === 'replayed' ? 'Ended: used twice' : 'Replaced' };
	return expires <= clock.now()
		? { label, value: token, tone: 'plain', note: 'Expired' }
		: { label, value: token, tone: 'ok', note: 'Works' };
}

/** One store of tokens, and its copy. @param title of the copy */
export const storedTokens = (title: string): LabSubject => ({
	name: 'Tokens',
	cards(run) {
		const factsOf = (stored: LabRun['backup']) =>
			stored.flatMap(({ access, refresh }) => [
				...(refresh === undefined ? [] : [tokenFact(run, 'Refresh token', refresh)]),
				tokenFact(run, 'Access token', access)
			]);
		const own = run.copied.get('access_token');
		const now = factsOf(run.viewer.stored);
		return [
			{
				title,
				note: 'As it was when the lab began',
				isOfAttacker: true,
				facts: [
					...factsOf(run.backup),
					...(own === undefined ? [] : [tokenFact(run, 'Access token that you got', own)])
				]
			},
			{
				title: 'Store of Viewer',
				note: 'As it is now',
				isOfAttacker: false,
				facts: now.length > 0 ? now : [{ label: 'No tokens', note: 'The victim signs in again', tone: 'error' }]
			}
		];
	}
});
