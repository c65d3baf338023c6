import { expect, test } from 'vitest';
import { SavedFilters } from '#features/inspector/saved-filters.svelte.ts';
import { blockStorage, WebStorage } from '../../client/web-storage.ts';

test('the browser keeps the newest ten filters, each once', () => {
	new WebStorage();
	const saved = new SavedFilters();
	saved.start();
	expect(saved.all).toEqual([]);
	for (let status = 400; status < 412; status++) saved.add(`status:${status}`);
	saved.add('status:405');
	saved.remove('status:411');
	const reloaded = new SavedFilters();
	reloaded.start();
	expect(reloaded.all).toEqual([402, 403, 404, 406, 407, 408, 409, 410, 405].map((status) => `status:${status}`));
});

test.each(['{', '{}', '[1]', 'null'])('there are none where %j is stored', (stored) => {
	new WebStorage({ 'tollgate:filters': stored });
	const saved = new SavedFilters();
	saved.start();
	expect(saved.all).toEqual([]);
});

test('work without storage', () => {
	blockStorage();
	const saved = new SavedFilters();
	saved.start();
	saved.add('status:400');
	expect(saved.all).toEqual(['status:400']);
});
