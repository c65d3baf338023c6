import { expect, it } from 'vitest';
import { browserHeaders, isCrossSite } from '#hosts/browser/browser-host.ts';

const own = 'https://tollgate.test';
const form = { method: 'POST', mode: 'navigate' };
const link = { method: 'GET', mode: 'navigate' };

/** What `Request` does not let a test set. */
type Sent = { method: string; mode: string; referrer?: string; origin?: string };

function request({ method, mode, referrer = '', origin }: Sent): Request {
	const made = new Request(`${own}/account`, { method, ...(origin === undefined ? {} : { headers: { origin } }) });
	for (const [name, value] of Object.entries({ mode, referrer })) Object.defineProperty(made, name, { value });
	return made;
}

it.each<[string, Sent, string, string | undefined]>([
	['a form of the service', { ...form, referrer: `${own}/account` }, 'same-origin', own],
	['a form of the service, with its Origin', { ...form, referrer: own, origin: own }, 'same-origin', own],
	['a form of another site', { ...form, referrer: 'https://evil.test/' }, 'cross-site', 'null'],
	[
		'a form of another site, with its Origin',
		{ ...form, origin: 'https://evil.test' },
		'cross-site',
		'https://evil.test'
	],
	['a form of a sandboxed frame', { ...form, referrer: `${own}/`, origin: 'null' }, 'cross-site', 'null'],
	['a form of an unknown page', form, 'cross-site', 'null'],
	['a link on another site', { ...link, referrer: 'https://evil.test/' }, 'cross-site', undefined],
	['a typed URL', link, 'none', undefined],
	['a script of a controlled page', { method: 'POST', mode: 'cors' }, 'same-origin', own]
])('SC-06 %s', (_, sent, site, origin) => {
	const made = request(sent);
	const headers = [...[...made.headers].flat(), ...browserHeaders(made)];
	expect(headers.filter((_, at) => headers[at - 1] === 'Sec-Fetch-Site')).toEqual([site]);
	expect(headers.filter((_, at) => headers[at - 1]?.toLowerCase() === 'origin')).toEqual(origin ? [origin] : []);
	expect(headers.filter((_, at) => headers[at - 1] === 'Referer')).toEqual(sent.referrer ? [sent.referrer] : []);
	expect(isCrossSite(made)).toBe(site === 'cross-site');
});
