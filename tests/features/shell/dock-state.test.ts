import { beforeEach, expect, test, vi } from 'vitest';
import { DockState } from '#features/shell/dock-state.svelte.ts';
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

test('the browser remembers whether the inspector is open, and its height', () => {
	new WebStorage();
	const dock = new DockState();
	dock.start();
	expect([dock.isOpen, dock.height]).toEqual([false, 40]);
	dock.toggle();
	dock.resize(65);
	const reloaded = new DockState();
	reloaded.start();
	expect([reloaded.isOpen, reloaded.height, reloaded.takesFocus]).toEqual([true, 65, false]);
});

test('takes the focus where the user opens it, and returns it to where it was', () => {
	new WebStorage();
	const dock = new DockState();
	dock.toggle();
	expect([dock.takesFocus, opener.focused]).toEqual([true, 0]);
	dock.toggle();
	expect([dock.takesFocus, opener.focused]).toEqual([false, 1]);
});

test.each(['open', 'ajar 50', 'open 5', 'open 50 '])('is closed where %j is stored', (stored) => {
	new WebStorage({ 'tollgate:inspector': stored });
	const dock = new DockState();
	dock.start();
	expect([dock.isOpen, dock.height]).toEqual([false, 40]);
});

test('works without storage', () => {
	blockStorage();
	const dock = new DockState();
	dock.start();
	dock.toggle();
	expect(dock.isOpen).toBe(true);
});
