import { expect, test } from 'vitest';
import fc from 'fast-check';
import {
	byPreview,
	isOpenText,
	redactHeaders,
	redactText,
	redactPairs,
	redactTarget,
	redactToken,
	withoutReserved
} from '#api/redact.ts';

const state = 'T1eA9cW0bqk4mZ7xRf2v';
const token = 'q8JcV0yXb3sLr5wTn1kPzD7gHa2fMe4u';

test('shows the first characters of a long token, and nothing of a short one', () => {
	expect(redactToken(token)).toBe('q8JcV0…');
	expect(redactToken('short')).toBe('••••');
});

test('redacts state in a query, a form and a Location header, so that both ends of a flow show the same text', () => {
	const long = `${state}-long`;
	expect(redactTarget(`/ws/oauth2/auth/?scope=character_read&state=${long}`)).toBe(
		'/ws/oauth2/auth/?scope=character_read&state=T1eA9c…'
	);
	expect(redactPairs(`state=${long}`)).toBe('state=T1eA9c…');
	expect(redactHeaders(['Location', `https://app.example/cb?code=${token}&state=${long}`])).toEqual([
		'Location',
		'https://app.example/cb?code=q8JcV0…&state=T1eA9c…'
	]);
	expect(redactPairs('state=abc')).toBe('state=••••');
});

test('redacts an absolute URL like a target', () => {
	expect(redactTarget(`https://service.example/ws/oauth2/revoke?token=${token}&client_id=app`)).toBe(
		'https://service.example/ws/oauth2/revoke?token=q8JcV0…&client_id=app'
	);
});

test('redacts tokens in JSON and XML, and leaves other fields', () => {
	expect(redactText(`{"access_token":"${token}","expires_in":3920,"token_type":"OAuth"}`)).toBe(
		'{"access_token":"q8JcV0…","expires_in":3920,"token_type":"OAuth"}'
	);
	expect(redactText(`<OAuth><access_token>${token}</access_token><scope>character_read</scope></OAuth>`)).toBe(
		'<OAuth><access_token>q8JcV0…</access_token><scope>character_read</scope></OAuth>'
	);
	expect(redactText('<ratelimiting state="blacklisted"/>')).toBe('<ratelimiting state="blacklisted"/>');
});

test('redacts credentials in headers', () => {
	expect(redactHeaders(['Authorization', `OAuth ${token}`, 'Cookie', `session=${token}`, 'Accept', '*/*'])).toEqual([
		'Authorization',
		'OAuth q8JcV0…',
		'Cookie',
		'••••',
		'Accept',
		'*/*'
	]);
});

test('redacts a whole password, whatever characters it has', () => {
	for (const character of ["'", '"', '&', '<', ']', '\\', ' ', '=', ';', '✓', '‹code 1›']) {
		const password = `first${character}second-part`;
		const escaped = password.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
		const json = JSON.stringify({ password });
		for (const text of [
			json,
			JSON.stringify({ password: [password] }),
			JSON.stringify({ body: json }),
			`{'password' => '${password.replace(/[\\']/g, '\\$&')}'}`,
			`<password>${escaped}</password>`,
			`<login password="${escaped}"/>`,
			`<password><![CDATA[${password}]]></password>`,
			`--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${password}\r\n--b--`,
			`https://a.example/?u=${encodeURIComponent(`https://b.example/?password=${encodeURIComponent(password)}`)}`,
			`https://user:${encodeURIComponent(password)}@a.example/`
		]) {
			expect(redactText(text)).toContain('••••');
			expect(redactText(text)).not.toContain('second-part');
		}
	}
});

test('redacts long texts in a time that grows with their length only', () => {
	const parts = [
		'token\n',
		'key\r\n',
		'token\na\n',
		'token"',
		'token a',
		'token=\\',
		'secret"  value',
		'code=<![CDATA[',
		'%25'
	];
	for (const part of parts) {
		const begin = performance.now();
		redactText(part.repeat(65_536 / part.length));
		expect([part, performance.now() - begin < 700]).toEqual([part, true]);
	}
});

test('an open text is shown as it is, as a text and as a target', () => {
	const part = fc.constantFrom(
		token,
		'token',
		'code',
		'a',
		' ',
		'\n',
		'=',
		':',
		'?',
		'&',
		'%41',
		'@',
		'\uF8D0',
		'://',
		'my secret'
	);
	const text = fc.array(fc.oneof(part, fc.string({ maxLength: 3 })), { maxLength: 8 }).map((parts) => parts.join(''));
	const redaction = { ...byPreview, secrets: ['my secret'] };
	let open = 0;
	fc.assert(
		fc.property(text, (text) => {
			if (!isOpenText(text, redaction)) return;
			open++;
			expect([redactText(text, redaction), redactTarget(text, redaction), withoutReserved(text)]).toEqual([
				text,
				text,
				text
			]);
		}),
		{ numRuns: 2000, seed: 1 }
	);
	expect(open).toBeGreaterThan(100);
});
