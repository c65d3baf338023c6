import { describe, expect, test } from 'vitest';
import { needsRefresh, refreshMargin } from '#client/oauth/token-manager.ts';
import { parseExpiresIn } from '#client/oauth/token-response.ts';
import { errorCode } from '../test-browser.ts';
import { TestService } from '../test-service.ts';
import { TestCore } from './test-core.ts';

test.each([
	['a number', 3920, 3_920_000],
	['text', '3920', 3_920_000],
	['enormous', 1e12, 30 * 24 * 3_600_000],
	['missing', undefined, null],
	['zero', 0, null],
	['negative', -1, null],
	['not a number', 'soon', null],
	['null', null, null],
	['blank', ' ', null],
	['infinite', '1e999', null]
])('reads expires_in that is %s', (_, value, lifetime) => {
	expect(parseExpiresIn(value)).toBe(lifetime);
});

test('refreshes before the expiry, with a margin that is shorter than any lifetime', () => {
	for (const lifetime of [1000, 60_000, 3_920_000, 1e12]) expect(refreshMargin(lifetime)).toBeLessThan(lifetime);
	expect([60_000, 600_000, 3_920_000].map(refreshMargin)).toEqual([6000, 60_000, 60_000]);
});

describe('the token response', () => {
	const body = (text: string, type: string, status = 200) =>
		new Response(text, { status, headers: { 'content-type': type } });

	test('is read in XML, for the exchange and for a refresh', async () => {
		const core = new TestCore(new TestService(), { format: () => 'xml' });
		const tokenSet = await core.signIn();
		expect(tokenSet).toMatchObject({ scope: ['character_read'], lifetime: 3_920_000 });
		const refreshed = await core.tokens.refresh(tokenSet.id, tokenSet.access_token);
		expect(refreshed.access_token).not.toBe(tokenSet.access_token);
		expect(core.service.requests.map(({ headers }) => headers.get('accept'))).toEqual([
			'application/xml',
			'application/xml'
		]);
		expect(core.events.filter(({ type }) => type === 'xml_converted')).toHaveLength(2);
	});

	test('may have additional fields, and needs no token_type', async () => {
		const core = new TestCore(new TestService(), { format: () => 'xml' });
		const xml = '<?xml version="1.0"?><OAuth><access_token>a&amp;b</access_token><mood>fine</mood></OAuth>';
		core.service.intercept = () => body(xml, 'application/xml; charset=utf-8');
		const tokenSet = await core.signIn();
		expect(tokenSet).toMatchObject({ access_token: 'a&b', lifetime: null, expiresAt: null, refresh_token: null });
		expect(needsRefresh(tokenSet, Infinity)).toBe(false);
	});

	test('keeps the error code of XML', async () => {
		const core = new TestCore();
		core.service.intercept = () => body('<OAuth><error>invalid_grant</error></OAuth>', 'text/xml', 400);
		expect(await errorCode(core.signIn())).toBe('invalid_grant');
	});

	test.each([
		['no JSON', 'hello', 'application/json', 200],
		['an HTML page', '<!doctype html><p>hello', 'text/html', 200],
		['invalid XML', '<OAuth><access_token>', 'application/xml', 200],
		['XML with another root', '<Other><access_token>a</access_token></Other>', 'application/xml', 200],
		['without a token', '{"token_type":"OAuth"}', 'application/json', 200],
		['another success', '{"access_token":"a","token_type":"OAuth"}', 'application/json', 201]
	])('is rejected if it is %s', async (_, text, type, status) => {
		const core = new TestCore();
		core.service.intercept = () => body(text, type, status);
		expect(await errorCode(core.signIn())).toBe('unexpected_response');
	});
});
