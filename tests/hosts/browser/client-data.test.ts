import { afterEach, expect, test, vi } from 'vitest';
import { clearWebStorage } from '#hosts/browser/client-data.ts';

afterEach(() => vi.unstubAllGlobals());

test('clears everything that the clients of this deployment keep in web storage, and nothing else', () => {
	const keys = [
		'tollgate-viewer/base tab',
		'tollgate-viewer/base https://a.test/base',
		'tollgate-viewer/base https://a.test/base events',
		'tollgate-companion/base tab',
		'tollgate-viewer/other tab',
		'tollgate-viewer tab',
		'theme',
		'tollgate-sandboxes/base'
	];
	const values = Object.fromEntries(keys.map((key) => [key, 'x']));
	const listeners: (() => void)[] = [];
	const removeItem = (key: string) => Reflect.deleteProperty(values, key);
	const storage = new Proxy(values, { get: (_, name) => (name === 'removeItem' ? removeItem : undefined) });
	vi.stubGlobal('sessionStorage', storage);
	vi.stubGlobal('localStorage', storage);
	vi.stubGlobal('addEventListener', (_: string, listener: () => void) => listeners.push(listener));
	vi.stubGlobal('document', { addEventListener: () => undefined });
	clearWebStorage('/base');
	for (const listener of listeners) listener();
	expect(Object.keys(values)).toEqual(['tollgate-viewer/other tab', 'tollgate-viewer tab', 'theme']);
});
