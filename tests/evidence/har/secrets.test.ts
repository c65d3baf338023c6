import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHar } from '#evidence/har/read-har.ts';
import { makeHar, type MadeEntry } from './make-har.ts';

const canary = 'q7Canary9xZ4kR0mZ8tYw5bNcL2eUo';
const names = [
	'code',
	'state',
	'access_token',
	'client_secret',
	'password',
	'otp',
	'x',
	'SAMLResponse',
	'apiKey',
	'next',
	'message',
	'error_description',
	'id',
	canary
];
const places = [
	(name: string): Partial<MadeEntry> => ({
		url: `https://auth.example/authorize?response_type=code&client_id=a&${name}=${canary}`
	}),
	(name: string) => ({
		url: `https://auth.example/authorize?response_type=code&client_id=a&redirect_uri=${encodeURIComponent(`https://app.example/cb?${name}=${canary}`)}`
	}),
	(name: string) => ({ url: `https://auth.example/login/${canary}/${name}`, form: { a: 'b' } }),
	(name: string) => ({ form: { grant_type: 'authorization_code', [name]: canary } }),
	(name: string) => ({ json: { grant_type: 'password', [name]: canary, nested: { [name]: canary } } }),
	(name: string) => ({
		headers: {
			[`x-${name}`]: canary,
			authorization: `Basic ${btoa(`a:${canary}`)}`,
			cookie: `${name}=${canary}; b=${canary}`
		}
	}),
	(name: string) => ({
		headers: { authorization: `Bearer ${canary}` },
		body: { [name]: canary, list: [{ [name]: canary }], deep: { deeper: { [name]: canary } } }
	}),
	(name: string) => ({
		headers: { authorization: `Bearer ${canary}` },
		status: 401,
		body: { error: 'invalid_token', [name]: canary, message: `The token ${canary} is wrong` }
	}),
	(name: string) => ({
		responseHeaders: {
			'set-cookie': `${name}=${canary}; Domain=auth.example`,
			'www-authenticate': `Bearer error_description="${canary}"`,
			[`x-${name}`]: canary
		}
	}),
	(name: string) => ({ status: 302, location: `https://app.example/cb?${name}=${canary}#${name}=${canary}` }),
	(name: string) => ({
		status: 302,
		location: `/next/${canary}?${name}=${encodeURIComponent(`https://a.example/?${name}=${canary}`)}`
	}),
	(name: string) => ({
		html: `<title>${canary}</title><input name="state" value="s"><input name="code" value="${canary}"><input name="${name}" value="${canary}">`
	}),
	(name: string) => ({
		headers: { referer: `https://auth.example/a?${name}=${canary}`, origin: 'https://auth.example' }
	})
];

test('keeps a secret nowhere, wherever it is', () => {
	const made = fc.tuple(
		fc.constantFrom(...places),
		fc.constantFrom(...names),
		fc.constantFrom(...places),
		fc.constantFrom(...names)
	);
	fc.assert(
		fc.property(made, ([one, name, other, otherName]) => {
			const base: MadeEntry = { at: 1, url: 'https://auth.example/token?grant_type=none', form: { grant_type: 'x' } };
			const start: MadeEntry = { at: 0, url: 'https://auth.example/authorize?response_type=code&client_id=a' };
			const text = JSON.stringify(
				readHar(makeHar([start, { ...base, ...one(name) }, { ...base, at: 2, ...other(otherName) }]))
			);
			expect(text).toContain('"kind":"read"');
			expect(text).not.toContain(canary);
			expect(text).not.toContain(btoa(`a:${canary}`));
			expect(text).not.toContain(canary.slice(0, 12));
		}),
		{ numRuns: 200 }
	);
});

test.each(['pw', 'user_pw', 'pwd', 'passcode', 'user_pin', 'otp'])('removes a word from the field %s', (name) => {
	const start: MadeEntry = { at: 0, url: 'https://auth.example/authorize?response_type=code&client_id=a' };
	const form = { grant_type: 'password', [name]: 'letmein' };
	const text = JSON.stringify(readHar(makeHar([start, { at: 1, url: 'https://auth.example/token', form }])));
	expect([text.includes('"kind":"read"'), text.includes('letmein')]).toEqual([true, false]);
});
