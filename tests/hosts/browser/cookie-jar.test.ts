import { expect, test } from 'vitest';
import { CookieJar } from '#hosts/browser/storage.ts';

test('sends the cookies that responses have set, and reports each change', () => {
	const changes: (string | undefined)[][] = [];
	const jar = new CookieJar([['old', '1']], (...change) => changes.push(change));
	jar.store(['Set-Cookie', 'new=2; Path=/', 'set-cookie', 'old=; Path=/; Max-Age=0', 'Set-Cookie', 'no value']);
	expect(jar.header).toEqual(['Cookie', 'new=2']);
	expect(changes).toEqual([
		['new', '2'],
		['old', undefined]
	]);
	jar.store(['Set-Cookie', 'new=; max-age=0']);
	expect(jar.header).toEqual([]);
});

test('keeps 180 cookies, and deletes the oldest', () => {
	const deleted: string[] = [];
	const stored = Array.from({ length: 180 }, (_, at) => [`c${at}`, 'x'] as const);
	const jar = new CookieJar(stored, (name, value) => {
		if (value === undefined) deleted.push(name);
	});
	jar.store(['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']);
	expect(deleted).toEqual(['c0', 'c1']);
	expect(jar.header[1]).toMatch(/^c2=x; .*; a=1; b=2$/);
});
