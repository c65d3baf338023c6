import { decodePercent } from '#lib/percent.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesRegistered } from '#service/sandbox/redirect-uris.ts';
import { base64url, decodeBase64, decodeUtf8, encodeUtf8 } from '#service/core/encoding.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { FormFields, parseScope } from '#service/core/form-fields.ts';
import { negotiateFormat, prefersJson } from '#service/core/negotiation.ts';
import type { Application } from '#service/sandbox/records.ts';
import { isServicePath } from '#api/service-path.ts';
import { queryOf } from '../conformance/user-agent.ts';
import { createTestService } from './test-service.ts';
import { codePoint } from '../code-point.ts';

const text = fc.oneof(fc.string({ unit: codePoint }), fc.string(), fc.string({ unit: 'grapheme' }));

it('base64url is Node’s, and comes back', () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
			expect(base64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
		})
	);
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), (text) => {
			expect(decodeBase64(Buffer.from(text).toString('base64'))).toBe(text);
			expect(decodeBase64(base64url(encodeUtf8(text)))).toBe(text);
		})
	);
});

it('HT-09 percent-decoding never throws, undoes encoding, and two different byte strings never become one text', () => {
	const bytes = fc.uint8Array({ maxLength: 8 });
	const written = (bytes: Uint8Array) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
	fc.assert(
		fc.property(text, fc.boolean(), (text, plusIsSpace) => {
			decodePercent(text, plusIsSpace);
			if (isWellFormed(text)) expect(decodePercent(encodeURIComponent(text), plusIsSpace)).toBe(text);
		})
	);
	fc.assert(
		fc.property(bytes, bytes, (one, other) => {
			const [a, b] = [decodePercent(written(one), true), decodePercent(written(other), true)];
			if (a !== undefined && a === b) expect(one).toEqual(other);
			const [c, d] = [decodeUtf8(one), decodeUtf8(other)];
			if (c !== undefined && c === d) expect(one).toEqual(other);
		}),
		{ numRuns: 2000 }
	);
});

it('fields come back decoded and raw, and one that came twice is known', () => {
	const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
	fc.assert(
		fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'grapheme' })), { maxLength: 20 }), (pairs) => {
			const query = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
			const fields = new FormFields(query);
			for (const [name] of pairs) {
				const [first = ['', '']] = pairs.filter((pair) => pair[0] === name);
				expect(fields.get(name)).toBe(first[1] === '' ? undefined : first[1]);
				expect(fields.raw(name)).toBe(encodeURIComponent(first[1]));
				expect(fields.duplicated([name]) === name).toBe(pairs.filter((pair) => pair[0] === name).length > 1);
			}
			expect(fields.duplicated() === undefined).toBe(new Set(pairs.map(([name]) => name)).size === pairs.length);
		})
	);
	fc.assert(
		fc.property(text, (text) => {
			const fields = new FormFields(text);
			for (const name of ['state', '__proto__', 'constructor', 'toString']) {
				if (!text.includes(name.charAt(0)) && !text.includes('%')) expect(fields.has(name)).toBe(false);
			}
		})
	);
});

it('AZ-05 a scope is read as a set, or not at all', () => {
	const names = ['character_read', 'location_read', 'inventory_read', 'credits_read', 'character_write'];
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 12 }), (asked) => {
			expect(parseScope(asked.join(' '))).toEqual([...new Set(asked)].sort());
		})
	);
	fc.assert(
		fc.property(text, (text) => {
			const read = parseScope(text);
			if (read !== undefined) expect(new Set(text.split(/ +/))).toEqual(new Set(read));
		})
	);
});

it('AZ-06 any bytes in state reach the client as they were sent', async () => {
	const at = await createTestService().sandbox();
	const user = at.user();
	await user.tokens();
	const bytes = fc.uint8Array({ maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(bytes, fc.infiniteStream(fc.boolean()), async (bytes, escapes) => {
			// Every byte in one of the spellings that the grammar of a query allows for it.
			const written = [...bytes].map((byte) => {
				const letter = String.fromCharCode(byte);
				const bare = /[\w!$'()*,;:@/?=.~-]/.test(letter) && escapes.next().value === true;
				return bare ? letter : `%${byte.toString(16).padStart(2, '0')}`;
			});
			const state = written.join('');
			const { location } = await user.open(`/ws/oauth2/auth/?state=${state}&${queryOf(at.viewer)}`);
			const [, echoed = ''] = location.split('&state=');
			expect(bytesOf(echoed)).toEqual([...bytes]);
			expect(location).toMatch(/^[\x21-\x7e]+$/);
		}),
		{ numRuns: 300 }
	);
});

it('EN-03 negotiation never throws, and the same header gives the same format', () => {
	const part = fc.constantFrom(
		'application/xml',
		'text/xml',
		'*/*',
		'application/json',
		';q=',
		'0.5',
		',',
		'q',
		' ',
		'Z'
	);
	const header = fc.oneof(
		text,
		fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''))
	);
	fc.assert(
		fc.property(header, (accept) => {
			expect(['json', 'xml']).toContain(negotiateFormat(accept));
			expect(negotiateFormat(accept)).toBe(negotiateFormat(accept));
			expect(typeof prefersJson(accept)).toBe('boolean');
			if (!/xml/i.test(accept)) expect(negotiateFormat(accept)).toBe('json');
		})
	);
});

it('AZ-03 AZ-04 no edit of a registered redirect URI matches', () => {
	const base = { client_id: 'x', name: 'x', secret: { salt: '', digest: '' }, registered: 0 };
	const uri = 'https://client.example/cb';
	const web: Application = { ...base, kind: 'web', redirect_uris: [uri] };
	const installed: Application = {
		...base,
		kind: 'installed',
		redirect_uris: ['urn:ietf:wg:oauth:2.0:oob', 'http://localhost']
	};
	const edit = fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 3 }), fc.string({ unit: codePoint, maxLength: 4 }));
	fc.assert(
		fc.property(edit, fc.constantFrom(uri, 'http://localhost:8080', 'urn:ietf:wg:oauth:2.0:oob'), (edit, base) => {
			const [at, gone, put] = edit;
			const edited = base.slice(0, at) + put + base.slice(at + gone);
			expect(matchesRegistered(web, edited, { loopback: 'localhost' })).toBe(edited === uri);
			const port = /^http:\/\/localhost(?::(\d+))?\/?$/.exec(edited);
			const fine = port !== null && !edited.endsWith('\n') && (port[1] === undefined || isPort(port[1]));
			expect(matchesRegistered(installed, edited, { loopback: 'localhost' })).toBe(
				edited === 'urn:ietf:wg:oauth:2.0:oob' || fine
			);
		}),
		{ numRuns: 5000 }
	);
});

it('SC-07 untrusted text is shown short, visible and well-formed', () => {
	fc.assert(
		fc.property(text, fc.integer({ min: 1, max: 80 }), (text, longest) => {
			const shown = sanitizeText(text, longest);
			expect(Array.from(shown).length).toBeLessThanOrEqual(longest);
			expect(isWellFormed(shown)).toBe(true);
			expect(shown).not.toMatch(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u);
		})
	);
});

it('RL-06 HT-12 the host recognizes every spelling of a service path', async () => {
	const at = await createTestService().sandbox();
	const segment = fc.constantFrom(
		'ws',
		'oauth2',
		'token',
		'auth',
		'v2.0',
		'character',
		'ratelimits',
		'ratelimiting',
		'control',
		'health',
		'account',
		'applications',
		'support',
		'..',
		'.',
		'',
		`~${at.id}`,
		'WS',
		'revoke',
		'a%2fb',
		'%2e%2e',
		'\\',
		'x;y',
		'%',
		'%ff'
	);
	const joint = fc.constantFrom('/', '/', '/', '//', '/./', '\\', '/x/../', '%2f');
	const path = fc.array(fc.tuple(joint, segment), { minLength: 1, maxLength: 6 }).map((parts) => parts.flat().join(''));
	const spelt = fc.tuple(path, fc.infiniteStream(fc.nat({ max: 9 })), fc.constantFrom('', '?', '?x=/../', '#'));
	await fc.assert(
		fc.asyncProperty(spelt, async ([path, dice, tail]) => {
			const letters = path.startsWith('/') ? path : `/${path}`;
			const target =
				[...letters]
					.map((letter) => (/\w/.test(letter) && dice.next().value === 0 ? escaped(letter) : letter))
					.join('') + tail;
			const received = await at.transport.send({ target });
			const isServed =
				received !== undefined &&
				!(
					received.status === 404 && /nothing at this path|sandbox does not exist|Sandbox not found/.test(received.body)
				);
			if (isServed) expect(isServicePath(target), `${target}: ${received.status}`).toBe(true);
		}),
		{ numRuns: 3000 }
	);
});

function isWellFormed(text: string): boolean {
	return !/[\ud800-\udfff]/u.test(text);
}

function escaped(letter: string): string {
	return `%${letter.charCodeAt(0).toString(16)}`;
}

function isPort(digits: string): boolean {
	return /^[1-9]\d{0,4}$/.test(digits) && Number(digits) <= 65535;
}

/** The bytes of a percent-encoded text. */
function bytesOf(text: string): number[] {
	const plain = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return Array.from(plain, (letter) => letter.charCodeAt(0));
}
