import { expect, test } from '../../../e2e/static/fixtures.ts';
import { openLabs, walkLab } from '../walk-lab.ts';

for (const id of openLabs()) {
	test(`lab ${id} is attacked and defended in the static build`, async ({ served, site }) => {
		await served.goto(`${site.url}labs/${id}`);
		await walkLab(served, 'mouse');
		expect(site.leaks()).toEqual([]);
	});
}
