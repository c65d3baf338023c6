import { afterEach, expect, test, vi } from 'vitest';
import { tabDrawer } from '#client/browser/tab-drawer.ts';

afterEach(() => vi.unstubAllGlobals());

/** A page with a session storage, and what ends it. */
function page(more: Partial<Pick<Storage, 'getItem' | 'setItem'>> = {}) {
	const held = new Map<string, string>();
	const document = Object.assign(new EventTarget(), { hidden: false });
	const window = new EventTarget();
	vi.stubGlobal('sessionStorage', {
		getItem: (key: string) => held.get(key) ?? null,
		setItem: (key: string, value: string) => held.set(key, value),
		...more
	});
	vi.stubGlobal('document', document);
	vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
	return { held, document, window };
}

test('each owner finds what it has put there, and nothing of another', () => {
	page();
	tabDrawer('viewer').write({ a: [1, 'two'] });
	expect(tabDrawer('viewer').read()).toEqual({ a: [1, 'two'] });
	expect(tabDrawer('companion').read()).toBeUndefined();
});

test('what is damaged is nothing, and is written over', () => {
	const { held } = page();
	held.set('viewer', '{"a":');
	expect(tabDrawer('viewer').read()).toBeUndefined();
	tabDrawer('viewer').write('whole');
	expect(tabDrawer('viewer').read()).toBe('whole');
});

test('storage that is refused or full harms nobody', () => {
	const refuse = () => {
		throw new DOMException('no', 'QuotaExceededError');
	};
	page({ getItem: refuse, setItem: refuse });
	tabDrawer('viewer').write('lost');
	expect(tabDrawer('viewer').read()).toBeUndefined();
});

test('the last moment is the end of the page, and each time that it goes out of sight', () => {
	const { document, window } = page();
	let works = 0;
	tabDrawer('viewer').beforeLeaving(() => (works += 1));
	document.dispatchEvent(new Event('visibilitychange'));
	expect(works).toBe(0);
	document.hidden = true;
	document.dispatchEvent(new Event('visibilitychange'));
	expect(works).toBe(1);
	window.dispatchEvent(new Event('pagehide'));
	expect(works).toBe(2);
});
