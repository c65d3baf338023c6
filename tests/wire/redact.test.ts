import { expect, test } from 'vitest';
import { redactHeaders, redactText, redactPairs, redactTarget, redactToken } from '#wire/redact.ts';

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
