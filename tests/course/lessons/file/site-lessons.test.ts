import { beforeEach, expect, it, vi } from 'vitest';
import { readSiteLessons } from '#course/lessons/file/site-lessons.ts';
import { valid } from '../../../evidence/lesson-file/files.ts';

const stored = new Map<string, string>();
const respond = (text: string, status = 200) =>
	vi.stubGlobal('fetch', () => Promise.resolve(new Response(text, { status })));
const read = async () => (await readSiteLessons('https://site.example/demo')).map(({ id }) => id);

beforeEach(() => {
	stored.clear();
	vi.stubGlobal('localStorage', {
		getItem: (key: string) => stored.get(key) ?? null,
		setItem: (key: string, value: string) => stored.set(key, value),
		removeItem: (key: string) => stored.delete(key)
	});
});

it('reads the lessons of a site, and leaves out those with mistakes', async () => {
	respond(JSON.stringify([valid, { ...valid, id: 'other', text: ['<script>'] }, 'text', { ...valid, id: '../x' }]));
	expect(await read()).toEqual([valid.id]);
});

it('reads at most five', async () => {
	respond(JSON.stringify(Array.from({ length: 9 }, (_, at) => ({ ...valid, id: `lesson-${at}` }))));
	expect(await read()).toHaveLength(5);
});

it.each([
	['a site without lessons', '[]', 200],
	['a site of an earlier version', '<!doctype html>', 404],
	['a page in place of the file', '<!doctype html>', 200],
	['an object', '{"files": []}', 200],
	['a file that is too large', `["${'a'.repeat(600_000)}"]`, 200]
])('reads none of %s', async (_, text, status) => {
	respond(text, status);
	expect(await read()).toEqual([]);
});

it('keeps them for use offline', async () => {
	respond(JSON.stringify([valid]));
	await read();
	vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
	expect(await read()).toEqual([valid.id]);
});
