import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Application } from '#service/sandbox/records.ts';
import { compareRedirectUri, installedRedirects, matchesRegistered } from '#service/sandbox/redirect-uris.ts';
import { codePoint } from '../../code-point.ts';

const base = { client_id: 'x', name: 'x', secret: { salt: '', digest: '' }, registered: 0 };
const installed: Application = { ...base, kind: 'installed', redirect_uris: installedRedirects };
const web = (...redirect_uris: string[]): Application => ({ ...base, kind: 'web', redirect_uris });

/** The first difference to the most similar URI, with the rest of both strings. */
function differenceOf(application: Application, uri: string) {
	const [first] = compareRedirectUri(application, uri, 'localhost').compared;
	if (first?.difference === null || first === undefined) return undefined;
	const { part, at, registered_at, reason } = first.difference;
	return { part, tested: uri.slice(at), registered: first.registered.slice(registered_at), reason };
}

const registered = 'https://client.example/cb/a?x=%2F';

describe('a web application', () => {
	test.each([
		['http://client.example/cb/a?x=%2F', 'scheme', '://client', 's://client'],
		['client.example/cb/a?x=%2F', 'scheme', 'client', 'https'],
		['https:/client.example/cb/a?x=%2F', 'scheme', 'client', '/client'],
		['https://me@client.example/cb/a?x=%2F', 'user', 'me@', 'client'],
		['https://client.example.com/cb/a?x=%2F', 'host', '.com', '/cb'],
		['https://www.client.example/cb/a?x=%2F', 'host', 'www.', 'client'],
		['https://client.example:443/cb/a?x=%2F', 'port', ':443', '/cb'],
		['https://client.example/cb/b?x=%2F', 'path', 'b?', 'a?'],
		['https://client.example/cb/../cb/a?x=%2F', 'path', '../', 'a?'],
		['https://client.example/cb/a/?x=%2F', 'trailing_slash', '/?x', '?x'],
		['https://client.example/cb/a', 'query', '', '?x'],
		['https://client.example/cb/a?x=%2F#top', 'fragment', '#top', ''],
		['https://client.example/cb/A?x=%2F', 'case', 'A?', 'a?'],
		['HTTPS://client.example/cb/a?x=%2F', 'case', 'HTTPS', 'https'],
		['https://client.example/cb/a?x=%2f', 'case', 'f', 'F'],
		['https://client.example/cb/a?x=/', 'encoding', '/', '%2F'],
		['https://client.example/cb/%61?x=%2F', 'encoding', '%61', 'a'],
		['https%3A%2F%2Fclient.example%2Fcb%2Fa%3Fx%3D%252F', 'encoding', '%3A', '://'],
		[' https://client.example/cb/a?x=%2F', 'whitespace', ' https', 'https'],
		['https://client.example/cb/a?x=%2F\n', 'whitespace', '\n', ''],
		['https://client.example/cb/a\u200b?x=%2F', 'whitespace', '\u200b', '?x'],
		['', 'scheme', '', 'https']
	])('%j differs in the %s', (uri, part, tested, rest) => {
		const difference = differenceOf(web(registered), uri);
		expect(difference).toMatchObject({ part });
		expect(difference?.tested.startsWith(tested)).toBe(true);
		expect(difference?.registered.startsWith(rest)).toBe(true);
		expect(difference?.reason).toMatch(/^[A-Z].*\.$/s);
	});

	it('says in a sentence what differs', () => {
		const reason = (uri: string) => differenceOf(web('https://a.example/cb'), uri)?.reason;
		expect(reason('https://a.example:443/cb')).toBe('The registered URI has no port. Remove “:443”.');
		expect(reason('https://b.example/cb')).toBe('The host is “b.example” instead of “a.example”.');
		expect(reason('https://a.example/Cb')).toBe('The letter case differs: “C” instead of “c”.');
		expect(reason('https://a.example/cb/')).toBe('The tested URI has a trailing slash that is not registered.');
		expect(reason('https://a.example')).toBe('The path “/cb” is missing.');
		expect(reason('https://a.example/cb ')).toBe('The tested URI contains a space.');
	});

	it('compares the most similar URI first', () => {
		const application = web('https://a.example/', 'http://localhost:3000/cb', 'https://a.example/callback');
		const order = (uri: string) =>
			compareRedirectUri(application, uri, 'localhost').compared.map((one) => one.registered);
		expect(order('https://a.example/callbacks')[0]).toBe('https://a.example/callback');
		expect(order('http://localhost:3001/cb')[0]).toBe('http://localhost:3000/cb');
		expect(order('https://a.example/')[0]).toBe('https://a.example/');
	});
});

describe('an installed application', () => {
	test.each([
		['http://localhost:0', 'port', '0'],
		['http://localhost:', 'port', ''],
		['http://localhost:65536', 'port', '6'],
		['http://localhost:08080', 'port', '08080'],
		['http://localhost:80a', 'port', 'a'],
		['http://localhost:8080/cb', 'path', 'cb'],
		['http://localhost/cb', 'path', 'cb'],
		['http://localhost//', 'trailing_slash', '/'],
		['http://localhost?x', 'query', '?x'],
		['http://localhost:80/#', 'fragment', '#'],
		['http://localhost.example', 'host', '.example'],
		['http://localhost@example', 'user', '@'],
		['http://127.0.0.1:8080', 'host', '127'],
		['https://localhost', 'scheme', 's://'],
		['http://Localhost', 'case', 'Localhost'],
		['http://localhost:80\n', 'whitespace', '\n'],
		['urn:ietf:wg:oauth:2.0:oob:auto', 'path', ':auto'],
		['urn:ietf:wg:oauth:2.0:OOB', 'case', 'OOB']
	])('%j differs in the %s', (uri, part, tested) => {
		const difference = differenceOf(installed, uri);
		expect(difference).toMatchObject({ part });
		expect(difference?.tested.startsWith(tested)).toBe(true);
	});
});

/** A registered URI with a few edits. */
const edits = fc.array(
	fc.record({
		at: fc.nat({ max: 40 }),
		gone: fc.nat({ max: 3 }),
		put: fc.oneof(
			fc.string({ unit: codePoint, maxLength: 3 }),
			fc.constantFrom('/', ':', ':80', '@', '%2F', '%', '?', '#', ' ', 'S')
		)
	}),
	{ maxLength: 3 }
);
const edited = (uri: string) =>
	edits.map((all) => all.reduce((text, { at, gone, put }) => text.slice(0, at) + put + text.slice(at + gone), uri));

it('AZ-03 AZ-04 judges every URI like the authorization endpoint, and finds the index of the first difference', () => {
	const applications = [web(registered, 'http://x.example'), web('http://localhost'), installed];
	const bases = [registered, 'http://x.example', ...installedRedirects, 'http://localhost:8080'];
	const uri = fc.constantFrom(...bases).chain(edited);
	fc.assert(
		fc.property(fc.constantFrom(...applications), uri, (application, uri) => {
			const result = compareRedirectUri(application, uri, 'localhost');
			expect(result.matches).toBe(matchesRegistered(application, uri, { loopback: 'localhost' }));
			expect(result.matches).toBe(result.compared.some((one) => one.matches));
			expect(result.compared.map((one) => one.registered).sort()).toEqual([...application.redirect_uris].sort());
			for (const { registered, matches, difference } of result.compared) {
				expect(difference === null).toBe(matches);
				if (difference === null) continue;
				const { at, registered_at } = difference;
				expect(at).toBeLessThanOrEqual(uri.length);
				expect(uri.startsWith(registered.slice(0, registered_at))).toBe(true);
				// The part before the difference is the beginning of a URI that matches, and one character more is not.
				expect(canBegin(application, registered, uri.slice(0, at)), 'before').toBe(true);
				if (at < uri.length) expect(canBegin(application, registered, uri.slice(0, at + 1)), 'after').toBe(false);
			}
		}),
		{ numRuns: 5000 }
	);
});

/** Whether a URI that matches begins with this text. */
function canBegin({ kind }: Application, registered: string, text: string): boolean {
	if (registered.startsWith(text)) return true;
	if (kind === 'web' || registered !== 'http://localhost') return false;
	const [, digits] = /^http:\/\/localhost(?::([0-9]*))?\/?$/.exec(text) ?? [];
	if (digits === '') return !text.endsWith('/');
	return digits === undefined ? text === 'http://localhost/' : /^[1-9]/.test(digits) && Number(digits) <= 65535;
}
