import { expect, test } from 'vitest';
import { answerByHand, answerInTitle } from '#client/sign-in/out-of-band.ts';

const code = 'abcDEF012-._~+/==';

test.each([
	[`Success,code=${code}`, { name: 'code', value: code }],
	['Denied,error=access_denied', { name: 'error', value: 'access_denied' }],
	['Error, invalid_request', { name: 'fault', value: 'invalid_request' }]
])('the title %s is an answer', (title, answer) => {
	expect(answerInTitle(title)).toEqual(answer);
	expect(answerByHand(` ${title}\n`)).toEqual(answer);
});

test.each([
	'',
	'Sign in · Tollgate',
	'success,code=abcdefgh',
	`My Success,code=${code}`,
	`Success,code=${code} more`,
	'Success,code=',
	'Not Denied,error=access_denied',
	'Denied,error=access_denied, of course',
	'Denied,error=',
	'No Error, invalid_request',
	'Error, invalid request'
])('the title %s is none', (title) => {
	expect(answerInTitle(title)).toBeUndefined();
});

test('a code brought by hand is known by its form, whatever blanks came along', () => {
	expect(answerByHand(`\n ${code}\t`)).toEqual({ name: 'code', value: code });
	expect(answerByHand('a'.repeat(512))).toEqual({ name: 'code', value: 'a'.repeat(512) });
	for (const odd of [
		'',
		'short12',
		'two words here',
		'a'.repeat(513),
		`code: ${code}`,
		`${code} ${code}`,
		`<b>${code}`,
		`=${code}`
	])
		expect(answerByHand(odd)).toBeUndefined();
});
