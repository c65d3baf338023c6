import 'fake-indexeddb/auto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CookieJar, CookiesLost } from '#hosts/browser/cookies.ts';
import { Database } from '#hosts/browser/database.ts';

const faults: [string, string][] = [
	['QuotaExceededError', 'no more room'],
	['UnknownError', 'its storage failed']
];

it.each(faults)('BR-06 a jar that cannot be written to says so in words: %s', async (name, words) => {
	const jar = new CookieJar(new Database(`cookies and ${name}`).room('cookies'), () => 0);
	await jar.take(['a=1; Path=/'], '/');
	const fault = new DOMException('as the browser says it', name);
	const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
		throw fault;
	});
	onTestFinished(() => put.mockRestore());
	const lost = await jar.take(['b=2; Path=/'], '/').catch((thrown: unknown) => thrown);
	expect(lost).toBeInstanceOf(CookiesLost);
	expect(lost).toMatchObject({ message: expect.stringContaining(words), cause: fault });
	expect(await jar.header('/'), 'what was there stays').toBe('a=1');
	put.mockRestore();
	await jar.take(['b=2; Path=/'], '/');
	expect(await jar.header('/')).toBe('a=1; b=2');
});

it('BR-06 a jar that cannot be read says so, too', async () => {
	const jar = new CookieJar(
		() => Promise.reject(new DOMException('gone', 'InvalidStateError')),
		() => 0
	);
	await expect(jar.header('/')).rejects.toThrow(/could not read the cookies of the service: .*Reload the page/);
});
