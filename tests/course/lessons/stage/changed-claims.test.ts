import { expect, test } from 'vitest';
import { loadLesson } from '#course/lessons/all-lessons.ts';
import { openedIn } from '#course/lessons/evaluation/opened.ts';
import { stepsOf } from '#course/lessons/evaluation/step.ts';
import { changedClaims } from '#course/lessons/stage/changed-claims.ts';
import { authenticatedBy } from '#features/request-builder/drafts.ts';
import { Tab } from '../../../features/request-builder/builder-tab.ts';

async function open(id: string) {
	const lesson = await loadLesson(id);
	if (lesson === undefined) throw new Error(`There is no lesson ${id}`);
	const { steps } = lesson.stage;
	/** The steps of the lesson, of which some are done. */
	const upTo = (done: number) =>
		stepsOf({
			steps,
			conditions: steps.map(({ condition }) => condition),
			shown: Object.fromEntries(steps.slice(0, done).map(({ condition }) => [condition, []])),
			entries: []
		});
	const tab = new Tab();
	await tab.service.control('PATCH', '/control/settings', { dialect: 'standard' });
	const builder = await tab.open();
	const offered = (done: number) =>
		upTo(done).map((step) => changedClaims(step, upTo(done), builder).map(({ claim }) => claim));
	return { steps, upTo, builder, offered };
}

test('a step that is done offers the claims that no open step changes itself, and a thief none', async () => {
	const proofs = await open('bound-token');
	expect(proofs.offered(0)).toEqual([[], [], [], []]);
	expect(proofs.offered(2)).toEqual([['htm', 'htu', 'iat'], ['htm', 'htu', 'iat', 'ath'], [], []]);
	expect(proofs.offered(4)).toEqual([['htm', 'htu', 'iat', 'jti'], ['htm', 'htu', 'iat', 'jti', 'ath'], [], []]);
	const assertions = await open('signed-client');
	expect(assertions.offered(1)[0]).toEqual(['sub', 'exp']);
	expect(assertions.offered(5)).toEqual([['sub', 'aud', 'exp', 'jti'], [], [], [], []]);
});

test.each(['bound-token', 'signed-client'])(
	'%s: the check of the changed claim rejects it, and is named',
	async (id) => {
		const { steps, upTo, builder } = await open(id);
		if (id === 'signed-client') await builder.registerKey();
		for (const [index, { tools }] of steps.entries()) {
			const tool = tools.find(({ kind }) => kind === 'request');
			if (tool?.kind !== 'request') continue;
			for (const { id: mistake, claim } of changedClaims(upTo(9)[index] ?? fail(), upTo(9), builder)) {
				// The same as before each request of a step.
				builder.choose(tool.request);
				builder.drafts = {
					...builder.drafts,
					[tool.request]: authenticatedBy(builder.drafts[tool.request], tool.sets?.client_assertion !== undefined)
				};
				builder.setShown(tool.sets ?? {});
				if (claim !== 'jti') await builder.send();
				builder.chooseMistake(tool.request, mistake);
				await builder.send();
				const { entry } = builder.result ?? {};
				const failed = entry && openedIn(entry)?.members.filter(({ check }) => check?.outcome === 'failed');
				expect(
					failed?.map(({ name }) => name),
					`${claim} of step ${index + 1}`
				).toContain(claim);
			}
		}
	}
);

function fail(): never {
	throw new Error('There is no such step.');
}
