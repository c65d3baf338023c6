import { describe, expect, test } from 'vitest';
import { mask, maskBody, maskForm, maskHeader, maskUrl } from '#client/mask.ts';

const token = 'abcdef-and-fifteen-more';

describe('a secret in the log', () => {
	test('is followed by its first six characters; a short one vanishes whole', () => {
		expect(mask(token)).toBe('abcdef…');
		expect(mask('a'.repeat(21))).toBe('aaaaaa…');
		expect(mask('a'.repeat(20))).toBe('••••');
		expect(mask('')).toBe('••••');
	});

	test.each(['access_token', 'refresh_token', 'code', 'code_verifier', 'token', 'state'])('%s in a form', (name) => {
		expect(maskForm(`a=b&${name}=${token}&c=d`)).toBe(`a=b&${name}=abcdef…&c=d`);
	});

	test.each(['client_secret', 'password'])('nothing is shown of %s, however long it is', (name) => {
		expect(maskForm(`a=b&${name}=${token}`)).toBe(`a=b&${name}=••••`);
	});

	test('everything else stays as it was sent', () => {
		const form = `code_challenge=${token}&barcode=${token}&client_secret_hint=${token}&my_password=${token}&code&=x&`;
		expect(maskForm(form)).toBe(form);
	});

	test('in an address, however many there are', () => {
		expect(maskUrl(`https://s.example/revoke?token=${token}&client_id=me`)).toBe(
			'https://s.example/revoke?token=abcdef…&client_id=me'
		);
		expect(maskUrl(`https://s.example/a?b=c&state=${token}&code=${token}`)).toBe(
			'https://s.example/a?b=c&state=abcdef…&code=abcdef…'
		);
		expect(maskUrl('https://s.example/token=x')).toBe('https://s.example/token=x');
	});

	test('in JSON, spaced as it may be', () => {
		const told = `{"access_token": "${token}", "refresh_token" :"${token}","code":"${token}","client_secret":"short","scope":"${token}"}`;
		expect(maskBody(told)).toBe(
			`{"access_token": "abcdef…", "refresh_token" :"abcdef…","code":"abcdef…","client_secret":"••••","scope":"${token}"}`
		);
	});

	test('in XML', () => {
		const xml = `<OAuth><access_token>${token}</access_token><refresh_token>${token}</refresh_token><scope>${token}</scope></OAuth>`;
		expect(maskBody(xml)).toBe(
			`<OAuth><access_token>abcdef…</access_token><refresh_token>abcdef…</refresh_token><scope>${token}</scope></OAuth>`
		);
		expect(maskBody(`<access_token>${token}</access_token>`.repeat(2))).not.toContain(token);
	});

	test('in a header: the scheme stays', () => {
		expect(maskHeader('Authorization', `OAuth ${token}`)).toBe('OAuth abcdef…');
		expect(maskHeader('authorization', token)).toBe('••••');
		expect(maskHeader('Cookie', ` ${token}`)).toBe(' abcdef…');
		expect(maskHeader('set-cookie', token)).toBe('••••');
		expect(maskHeader('accept', token)).toBe(token);
		expect(maskHeader('x-cookie', token)).toBe(token);
		expect(maskHeader('cookies', token)).toBe(token);
	});
});
