import { beforeEach, expect, test, vi } from 'vitest';
import { BothEndsState } from '#features/shell/both-ends.svelte.ts';
import { blockStorage, WebStorage } from '../../client/web-storage.ts';

/** An element that counts how often it gets the focus. */
class Opener {
	focused = 0;
	focus(): void {
		this.focused++;
	}
}
let opener: Opener;

beforeEach(() => {
	opener = new Opener();
	vi.stubGlobal('HTMLElement', Opener);
	vi.stubGlobal('document', { activeElement: opener });
});

test('the browser remembers whether both ends are open, and their height', () => {
	new WebStorage();
	const bothEnds = new BothEndsState();
	bothEnds.start();
	expect([bothEnds.isOpen, bothEnds.height]).toEqual([false, undefined]);
	bothEnds.toggle();
	bothEnds.resize(65);
	const reloaded = new BothEndsState();
	reloaded.start();
	expect([reloaded.isOpen, reloaded.height, reloaded.takesFocus]).toEqual([true, 65, false]);
});

test('opens the newest exchange or a chosen one, and shows the newest again after it', () => {
	new WebStorage();
	const bothEnds = new BothEndsState();
	bothEnds.toggle();
	expect([bothEnds.isOpen, bothEnds.requestId, bothEnds.takesFocus]).toEqual([true, undefined, true]);
	bothEnds.show('id-2');
	expect([bothEnds.isOpen, bothEnds.requestId, opener.focused]).toEqual([true, 'id-2', 0]);
	bothEnds.close();
	expect([bothEnds.isOpen, bothEnds.requestId, opener.focused]).toEqual([false, undefined, 1]);
});

test.each(['open', 'ajar 50', 'open 5', 'open 50 '])('is closed where %j is stored', (stored) => {
	new WebStorage({ 'tollgate:inspector': stored });
	const bothEnds = new BothEndsState();
	bothEnds.start();
	expect([bothEnds.isOpen, bothEnds.height]).toEqual([false, undefined]);
});

test('works without storage', () => {
	blockStorage();
	const bothEnds = new BothEndsState();
	bothEnds.start();
	bothEnds.toggle();
	expect(bothEnds.isOpen).toBe(true);
});
