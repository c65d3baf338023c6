import { beforeEach, expect, it, vi } from 'vitest';
import { ProgressStore, parseItems } from '#course/frame/progress-store.svelte.ts';
import { MemoryLessonStorage } from '#course/frame/storage.ts';
import { ProgramText, writeDraft } from '#course/write/model/program-text.svelte.ts';
import { exerciseProgressSchema } from '#course/write/model/write-progress.ts';

const start = 'start';
const bases = new Map<MemoryLessonStorage, string>();

function baseOf(storage: MemoryLessonStorage): string {
	const base = bases.get(storage) ?? `/${bases.size}`;
	bases.set(storage, base);
	return base;
}

const stored = new Map<string, string>();
beforeEach(() => {
	vi.stubGlobal('localStorage', {
		getItem: (key: string) => stored.get(key) ?? null,
		setItem: (key: string, value: string) => void stored.set(key, value),
		removeItem: (key: string) => void stored.delete(key)
	});
});

/** Stores nothing. */
class FullStorage extends MemoryLessonStorage {
	override async update(): Promise<void> {
		throw new DOMException('', 'QuotaExceededError');
	}
}

/** A tab with an open exercise. Each storage is that of another site. */
async function openTab(storage: MemoryLessonStorage, base = baseOf(storage)): Promise<ProgramText> {
	const store = new ProgressStore(storage, 'write', (found) => parseItems(exerciseProgressSchema, found));
	await store.load();
	store.follow();
	return new ProgramText({ id: 'a', store, base, start });
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

it('keeps the first key at once, and the others within half a second', async () => {
	const storage = new MemoryLessonStorage();
	const text = await openTab(storage);
	text.type('s');
	await settled();
	expect((await openTab(storage)).source).toBe('s');
	for (const more of ['st', 'sto', 'stor']) {
		text.type(more);
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	await new Promise((resolve) => setTimeout(resolve, 500));
	expect((await openTab(storage)).source).toBe('stor');
});

it('restores what a page typed last, where its storage did not get it', async () => {
	const storage = new FullStorage();
	const text = await openTab(storage);
	text.type('a');
	text.type('ab');
	text.flush();
	expect((await openTab(new MemoryLessonStorage(), baseOf(storage))).source).toBe('ab');
});

it('keeps both versions where another tab has stored one since', async () => {
	const storage = new MemoryLessonStorage();
	const [one, two] = [await openTab(storage), await openTab(storage)];
	one.type('of one');
	await settled();
	expect(two.other).toEqual({ text: 'of one', from: 'tab' });
	two.type('of two');
	await settled();
	const opened = await openTab(storage);
	expect([opened.source, opened.other]).toEqual(['of two', { text: 'of one', from: 'tab' }]);
	await opened.exchange();
	expect([opened.source, opened.other]).toEqual(['of one', { text: 'of two', from: 'tab' }]);
	await opened.discardOther();
	expect((await openTab(storage)).other).toBeUndefined();
});

it('keeps the draft of a page beside what another tab stored later', async () => {
	const storage = new MemoryLessonStorage();
	(await openTab(storage)).type('later');
	await settled();
	writeDraft(`${baseOf(storage)}/a`, { source: 'draft', kept: start });
	const opened = await openTab(storage);
	await settled();
	expect([opened.source, opened.other]).toEqual(['draft', { text: 'later', from: 'tab' }]);
});

it('brings back what was replaced, also after a reload', async () => {
	const storage = new MemoryLessonStorage();
	const text = await openTab(storage);
	text.type('mine');
	await text.setAside();
	text.type(start);
	await new Promise((resolve) => setTimeout(resolve, 600));
	const opened = await openTab(storage);
	expect([opened.source, opened.other]).toEqual([start, { text: 'mine', from: 'replaced' }]);
	await opened.exchange();
	expect(opened.source).toBe('mine');
});

it('says what to do where the storage is full', async () => {
	const text = await openTab(new FullStorage());
	text.type('a');
	await settled();
	expect(text.problem).toBe(
		'Your program is not kept. The storage of this browser is full. Copy your program first, before you reload.'
	);
});
