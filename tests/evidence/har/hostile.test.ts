import { expect, test } from 'vitest';
import { maxHarSize } from '#evidence/har/har-reading.ts';
import { readHar } from '#evidence/har/read-har.ts';
import { makeHar, type MadeEntry } from './make-har.ts';

const authorize: MadeEntry = {
	at: 0,
	url: 'https://auth.example/authorize?response_type=code&client_id=a&state=canary-state-123456',
	html: ''
};
const whole = makeHar([authorize, authorize, authorize]);
const entry = JSON.stringify(JSON.parse(whole).log.entries[0]);
const deep = (open: string, close: string, depth = 200_000) => open.repeat(depth) + close.repeat(depth);

/** Files that cannot be read, by what is wrong with them. */
const unreadable: Readonly<Record<string, string>> = {
	empty: '',
	blanks: ' \n\t ',
	'plain text': 'GET /authorize HTTP/1.1',
	HTML: '<!doctype html><script>alert(1)</script>',
	'XML of Charles': '<?xml version="1.0"?><charles-session/>',
	number: '42',
	'text in JSON': '"log"',
	null: 'null',
	list: '[1,2,3]',
	'empty object': '{}',
	'no entries': '{"log":{"version":"1.2"}}',
	'entries as object': '{"log":{"entries":{}}}',
	'entries as text': '{"log":{"entries":"[]"}}',
	'empty entries': '{"log":{"entries":[]}}',
	'entries without requests': '{"log":{"entries":[1,null,"a",[],{}]}}',
	'no OAuth in it': makeHar([{ at: 0, url: 'https://news.example/', html: '<p>news</p>' }]),
	'only other schemes': makeHar([
		{ at: 0, url: 'javascript:alert(1)' },
		{ at: 1, url: 'data:text/html,<script>' },
		{ at: 2, url: 'chrome-extension://a/b' }
	]),
	'cut in an entry': whole.slice(0, -90),
	'cut between entries': `{"log":{"entries":[${entry},`,
	'cut in a text': whole.slice(0, whole.indexOf('canary-state', whole.indexOf('canary-state') + 50) + 9),
	'mistake in an entry': `{"log":{"entries":[${entry},{"request":{"url":1,}},${entry}]}}`,
	'cut before the first entry ends': whole.slice(0, 300),
	'deep lists': deep('[', ']'),
	'deep objects': deep('{"a":', '}').replace('}}', '1}}'),
	'deep and cut': `{"log":{"entries":[${'['.repeat(200_000)}`,
	'a collection': '{"info":{"name":"a"},"item":[]}',
	'a trace': '{"traceEvents":[]}',
	'an API': '{"openapi":"3.1.0","paths":{}}',
	'UTF-16': '\0{\0}',
	'too large': `{"log":${' '.repeat(maxHarSize)}`
};

test.each(Object.entries(unreadable))('%s: says in a sentence what is wrong, and what to do', (_, text) => {
	const reading = readHar(text);
	if (reading.kind === 'read') throw new Error('It was read.');
	expect(reading.error).toMatch(/^[A-Z][^]*\.$/);
	expect(reading.whatToDo).toMatch(/\.$/);
	expect(JSON.stringify(reading)).not.toContain('canary');
});

test('reads the whole entries of a cut file', () => {
	const cut = whole.slice(0, -90);
	const problem = readHar(cut);
	expect(problem).toMatchObject({ kind: 'unreadable', readable: 2 });
	const reading = readHar(cut, { part: true });
	expect(reading).toMatchObject({ kind: 'read', total: 2 });
	if (reading.kind === 'read') expect(reading.notes[0]).toBe('Only the first 2 entries of the file were read.');
});

test('reads hostile parts as data, and runs nothing', () => {
	const hostile = makeHar([
		authorize,
		{
			at: 1,
			url: 'https://auth.example/authorize?response_type=code&client_id=<img src=x onerror=alert(1)>&redirect_uri=javascript:alert(1)&__proto__=1&constructor=2'
		},
		{ at: 2, url: 'https://user:canary@app.example/callback?code=canary-code-123&state=canary-state-123456' },
		{
			at: 3,
			url: 'https://auth.example/token',
			form: { grant_type: 'authorization_code', __proto__: 'a', code: 'canary-code-123' },
			status: -5,
			body: deep('[', ']', 5000)
		},
		{
			at: 4,
			url: 'https://api.example/%E0%A4%A',
			headers: { authorization: 'Bearer canary-token-1234567890', 'x\ud800': '\ud800' },
			body: { __proto__: { polluted: true }, constructor: 1 }
		},
		{
			at: 5,
			url: 'https://api.example/late',
			headers: { authorization: 'Bearer canary-token-1234567890' },
			extra: { time: 'Infinity', startedDateTime: 'never' }
		}
	]);
	const withProto = hostile.replace('"version":"1.2"', '"version":"1.2","__proto__":{"polluted":true}');
	const reading = readHar(withProto);
	expect(reading.kind).toBe('read');
	expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
	const text = JSON.stringify(reading);
	expect(text).not.toContain('canary');
	expect(text).not.toContain('javascript:');
});
