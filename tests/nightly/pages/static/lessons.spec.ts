import { expect, sharedTest as test } from '../../../e2e/static/fixtures.ts';
import { mouse } from '../hands.ts';
import { lessonIds, loadWalkedLesson } from '../lessons.ts';
import { walkLesson } from '../walk-lesson.ts';

for (const id of lessonIds) {
	test(`lesson ${id} is walked to its end in the static build`, async ({ served, site }) => {
		await served.setViewportSize({ width: 1280, height: 800 });
		await walkLesson(served, await loadWalkedLesson(id), mouse, { base: site.url.slice(0, -1) });
		expect(site.leaks()).toEqual([]);
	});
}
