import { expect, it } from 'vitest';
import { LabRun } from '#course/labs/engine/lab-run.ts';
import { partsOf, rowsOf } from '#course/labs/engine/message.ts';
import { outcomeOf } from '#course/labs/engine/lab-network.ts';
import { judgeLab, replayLab, stepsOf } from '#course/labs/engine/run-lab.ts';
import { signInGoodUser } from '#course/labs/shared/moves.ts';
import { failedAt, timelineEntry } from '../../features/inspector/timeline-entry.ts';
import { labOf } from './lab-of.ts';

const lab = await labOf('login-csrf');
const looseRedirect = await labOf('loose-redirect');

const options = { baseUrl: 'https://tollgate.example' };

it('is not solved by what a window shows', async () => {
	const run = await LabRun.open(lab.world, options);
	await signInGoodUser(run);
	const { good_user, victim } = run.browsers;
	victim.page = { ...good_user.page, view: { site: 'Character Viewer', user: 'player-three' } };
	expect(judgeLab(lab, run).goal).toBeUndefined();
});

it('fails a defense that stops the good user, with the check that stopped this user', async () => {
	const tooStrict = { client: { state: 'compared' }, settings: { dialect: 'standard' } } as const;
	const replay = await replayLab(lab, tooStrict, stepsOf(lab), options);
	expect(replay).toMatchObject({
		hasGoodUser: false,
		isDefended: false,
		goodUserRejection: { id: 'auth.code_challenge_is_s256', by: 'service' }
	});
});

it('keeps browsers inside: an address outside is not opened', async () => {
	const run = await LabRun.open(lab.world, options);
	const page = await run.browsers.victim.open('https://example.com/?code=1');
	expect(page).toMatchObject({ status: 0, view: { heading: 'Not part of this lab' } });
	expect(run.log).toEqual([]);
	await expect(run.sendAs('attacker', { method: 'GET', url: 'https://example.com/' })).rejects.toThrow(
		'not part of this lab'
	);
});

it('does not follow a redirect out of the lab', async () => {
	const run = await LabRun.open(looseRedirect.world, options);
	for (const step of looseRedirect.steps.slice(0, 2)) await step.act(run);
	run.change('redirect_uri', 'https://viewer.example/callback/../out?to=https%3A%2F%2Fexample.com%2F');
	run.putOnPage();
	await run.openPage('victim');
	expect(run.browsers.victim.page.view?.heading).toBe('Not part of this lab');
});

it('marks the value of the attacker in each message that has it, and shows no step of a page', async () => {
	const run = await LabRun.open(lab.world, options);
	for (const step of lab.steps) await step.act(run);
	const rows = rowsOf(
		run.log,
		lab.parties.map(({ party }) => party)
	);
	expect(
		rows.map((row) =>
			partsOf(row, run.marked)
				.map(({ text, isMarked }) => (isMarked ? 'MARKED' : text))
				.join('')
		)
	).toEqual([
		'GET start',
		expect.stringMatching(/^GET auth · state /),
		'POST auth · Allow',
		'GET callback · code MARKED',
		'GET callback · code MARKED',
		'POST token · code MARKED',
		'GET /',
		'GET character'
	]);
});

it('says in the words of the lab what the service rejected', () => {
	const response = { status: 404, headers: [], body: '' };
	const entry = timelineEntry(1, { response, trace: failedAt('character.exists') });
	expect(outcomeOf(entry, 'service')).toMatchObject({ outcome: 'No such character', rejection: { by: 'service' } });
});

it.each([
	['approve', 'Allowed by player-one'],
	['deny', 'Denied by player-one']
])('reads from the request that the user decided %s, and from no words of a trace', (decision, outcome) => {
	const request = { method: 'POST', target: '/ws/oauth2/device', headers: [], body: `decision=${decision}` };
	const entry = timelineEntry(1, { endpoint: 'device', username: 'player-one', request });
	expect(outcomeOf(entry, 'service').outcome).toBe(outcome);
});
