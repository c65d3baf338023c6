import { beforeEach, expect, test, vi } from 'vitest';
import { Theme } from '#features/shell/theme.svelte.ts';
import { blockStorage, WebStorage } from '../../client/web-storage.ts';

const key = 'tollgate:theme';
let dataset: { theme?: string };

beforeEach(() => {
	dataset = {};
	vi.stubGlobal('document', { documentElement: { dataset } });
});

test('a choice is applied to the page and stored; that of the system is neither', () => {
	const { values } = new WebStorage();
	const theme = new Theme();
	theme.set('dark');
	expect([theme.choice, dataset.theme, values.get(key)]).toEqual(['dark', 'dark', 'dark']);
	theme.set('system');
	expect([theme.choice, 'theme' in dataset, values.size]).toEqual(['system', false, 0]);
});

test('starts with the stored choice, and follows other tabs until it is stopped', () => {
	const storage = new WebStorage({ [key]: 'light' });
	const theme = new Theme();
	const stop = theme.start();
	expect(theme.choice).toBe('light');
	storage.changeElsewhere('another', 'dark');
	expect(theme.choice).toBe('light');
	storage.changeElsewhere(key, 'dark');
	expect([theme.choice, dataset.theme]).toEqual(['dark', 'dark']);
	storage.changeElsewhere(null);
	expect([theme.choice, 'theme' in dataset]).toEqual(['system', false]);
	stop();
	storage.changeElsewhere(key, 'dark');
	expect(theme.choice).toBe('system');
});

test('ignores an unknown stored choice, and works without storage', () => {
	new WebStorage({ [key]: 'sepia' });
	const theme = new Theme();
	theme.start();
	expect(theme.choice).toBe('system');
	blockStorage();
	theme.set('light');
	expect([theme.choice, dataset.theme]).toEqual(['light', 'light']);
});
