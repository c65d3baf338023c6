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

test('the browser remembers the height of both ends, which are closed when a page is loaded', () => {
	new WebStorage();
	const bothEnds = new BothEndsState();
	bothEnds.start();
	expect([bothEnds.isOpen, bothEnds.height]).toEqual([false, undefined]);
	bothEnds.toggle();
	bothEnds.resize(65);
	const reloaded = new BothEndsState();
	reloaded.start();
	expect([reloaded.isOpen, reloaded.height]).toEqual([false, 65]);
});

test('closes with its page, and leaves the focus to the next one', () => {
	const bothEnds = new BothEndsState();
	bothEnds.show('id-2');
	bothEnds.leave();
	expect([bothEnds.isOpen, bothEnds.requestId, opener.focused]).toEqual([false, undefined, 0]);
});

test('opens the newest exchange or a chosen one, and shows the newest again after it', () => {
	new WebStorage();
	const bothEnds = new BothEndsState();
	bothEnds.toggle();
	expect([bothEnds.isOpen, bothEnds.requestId]).toEqual([true, undefined]);
	bothEnds.show('id-2');
	expect([bothEnds.isOpen, bothEnds.requestId, opener.focused]).toEqual([true, 'id-2', 0]);
	bothEnds.close();
	expect([bothEnds.isOpen, bothEnds.requestId, opener.focused]).toEqual([false, undefined, 1]);
});

test.each(['', 'high', '5', '50 ', '100'])('has the usual height where %j is stored', (stored) => {
	new WebStorage({ 'tollgate:both-ends-height': stored });
	const bothEnds = new BothEndsState();
	bothEnds.start();
	expect(bothEnds.height).toBeUndefined();
});

test('works without storage', () => {
	blockStorage();
	const bothEnds = new BothEndsState();
	bothEnds.start();
	bothEnds.toggle();
	expect(bothEnds.isOpen).toBe(true);
});
