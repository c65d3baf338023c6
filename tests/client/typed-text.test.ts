import { afterEach, describe, expect, test, vi } from 'vitest';
import { isTextUnstored, keepTyped, typedText } from '#client/storage/typed-text.svelte.ts';
import { RealNames } from '#course/class/model/real-names.svelte.ts';
import {
	deleteDraft,
	readDraft as readProgram,
	writeDraft as writeProgram
} from '#course/write/model/program-text.svelte.ts';
import { SavedFilters } from '#features/inspector/saved-filters.svelte.ts';
import { readDraft, writeDraft } from '#features/studio/stored-draft.ts';
import { Tab } from '../features/request-builder/builder-tab.ts';
import { blockStorage, WebStorage } from './web-storage.ts';

afterEach(() => vi.unstubAllGlobals());

const full = {
	getItem: () => null,
	setItem: () => {
		throw new DOMException('full', 'QuotaExceededError');
	},
	removeItem: () => {}
};

test('the page keeps a text that cannot be stored, and says so until it can', () => {
	keepTyped('a', 'typed', () => full);
	expect([typedText('a', () => full), isTextUnstored()]).toEqual(['typed', true]);
	const storage = new WebStorage();
	keepTyped('a', 'typed again');
	expect([storage.values.get('a'), typedText('a'), isTextUnstored()]).toEqual(['typed again', 'typed again', false]);
	keepTyped('a', 'typed', () => full);
	keepTyped('a', '', () => full);
	expect([typedText('a', () => full), isTextUnstored()]).toEqual(['', false]);
});

/** What a user types, read again as after another page of the site. Returns it, and what forgets it. */
const places: readonly [name: string, type: () => Promise<readonly [read: unknown, forget: () => void]>][] = [
	[
		'a program of an exercise',
		async () => {
			writeProgram('/1', { source: 'typed', kept: '' });
			return [readProgram('/1')?.source, () => deleteDraft('/1')];
		}
	],
	[
		'a world',
		async () => {
			writeDraft(() => localStorage, 'https://a.example', '{"name":"typed"}');
			const read = readDraft(() => localStorage, 'https://a.example');
			return [read && Reflect.get(read, 'name'), () => writeDraft(() => localStorage, 'https://a.example', undefined)];
		}
	],
	[
		'names of students',
		async () => {
			const names = new RealNames('code', 0);
			names.keep(new Map([[1, 'typed']]), 1);
			return [new RealNames('code', 0).of(1), () => names.forget()];
		}
	],
	[
		'a filter',
		async () => {
			const [one, other] = [new SavedFilters(), new SavedFilters()];
			one.add('typed');
			other.start();
			return [other.all[0], () => keepTyped('tollgate:filters', '')];
		}
	],
	[
		'a request',
		async () => {
			const tab = new Tab();
			Object.assign(tab, { storage: full });
			const builder = await tab.open();
			builder.set({ scope: 'typed' });
			builder.save();
			const again = await tab.open();
			const { parameters } = again.drafts.authorization;
			const forget = () => keepTyped(`tollgate-request-builder ${tab.service.baseUrl}`, '');
			return [parameters.find(({ name }) => name === 'scope')?.value, forget];
		}
	]
];

describe.each(places)('%s', (_, type) => {
	test('is not lost where storage is blocked', async () => {
		blockStorage();
		const [read, forget] = await type();
		expect([read, isTextUnstored()]).toEqual(['typed', true]);
		forget();
		expect(isTextUnstored()).toBe(false);
	});
});
