import { expect, test } from 'vitest';
import { Client } from '#client/client.ts';
import { openOn } from '#client/page/open-on.ts';
import { Viewer } from '#client/page/viewer.svelte.ts';
import { MemoryShelf, type Kept, type Shelf } from '#client/shelf.ts';
import { Workbench } from '../workbench.ts';

/** Opens a viewer on a shelf. */
function open(shelf: Shelf) {
	const bench = new Workbench();
	return openOn({ ...bench.surroundings('tab-1', { shelf }), persistent: true }, async (browser) => {
		const client = new Client(bench.service.base_url, browser);
		await client.recall();
		const viewer = new Viewer(client, browser.persistent, browser.now);
		await viewer.people.load();
		return viewer;
	});
}

test.each(['switches', 'meters', 'sessions'] as const)(
	'storage that breaks at the %s: the page opens on memory',
	async (key) => {
		const broken = new (class extends MemoryShelf {
			override read<K extends keyof Kept>(asked: K): Promise<Kept[K] | undefined> {
				return asked === key ? Promise.reject(new Error('the disk is gone')) : super.read(asked);
			}
		})();
		const viewer = await open(broken);
		expect(viewer.persistent).toBe(false);
		expect(viewer.people.loaded).toBe(true);
		await viewer.signIn.prepare();
		expect(viewer.signIn.request).toBeDefined();
	}
);

test('storage that works is used', async () => {
	expect((await open(new MemoryShelf())).persistent).toBe(true);
});
