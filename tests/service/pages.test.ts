import { beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../conformance/sandbox.ts';
import { createTestService, type TestService } from './test-service.ts';

let service: TestService;
let at: Sandbox;

beforeEach(async () => {
	service = createTestService();
	at = await service.sandbox();
});

const html = ['Accept', 'text/html'];

test('pages outside a sign-in have the navigation of the sandbox and mark the open page', async () => {
	for (const path of ['/account', '/ratelimiting']) {
		const { text } = await at.get(path, ...html);
		expect(text).toContain(`href="${at.base_url}/viewer"`);
		if (path !== '/ratelimiting') expect(text).toContain(`href="${at.base_url}${path}" aria-current="page"`);
	}
});

test('pages say that faults are active and that the clock was moved', async () => {
	await at.controlled('POST', 'faults', { endpoint: 'revoke', kind: 'drop' });
	await at.advance(3600);
	const { text } = await at.get('/account', ...html);
	expect(text).toContain('1 fault is active in this sandbox.');
	expect(text).toContain('The clock of this sandbox is 1 hour ahead.');
});

test('the page of an unknown sandbox marks no page as open', async () => {
	const page = await service.transport.send({ target: '/~unknown/account', headers: html });
	expect(page?.status).toBe(404);
	expect(page?.body).toContain('Sandbox not found');
	expect(page?.body).not.toContain('aria-current');
});

test('a lesson of an unknown sandbox opens without a sandbox, where its page makes another one', async () => {
	const page = await service.transport.send({ target: '/~unknown/learn/whole-trip', headers: html });
	expect(page?.status).toBe(303);
	expect(page?.headers).toContain(`${service.options.origin}/learn/whole-trip`);
});

describe('a sign-in', () => {
	test('says on each page that the user is at the authorization server', async () => {
		const user = at.user();
		const signIn = await user.authorize(at.companion);
		const consent = await user.signInOn(signIn);
		const code = await user.decide(consent);
		for (const { text } of [signIn, consent, code]) {
			expect(text).toContain('<strong>Authorization server</strong> · step 2 of 4');
			expect(text).not.toContain('<nav');
		}
		expect(signIn.text).toContain('You have left <bdi>Pocket Companion</bdi>.');
	});

	test('that was completed says so when it is opened or sent again, and leads forward or to a new one', async () => {
		const user = at.user();
		const consent = await user.openConsent(at.viewer);
		const interaction = consent.hidden('interaction');
		await user.decide(consent);
		const back = await user.open(`/ws/oauth2/auth/?interaction=${interaction}`);
		const sentAgain = await user.decide(consent);
		for (const { status, text } of [back, sentAgain]) {
			expect(status).toBe(403);
			expect(text).toContain('<h1>This sign-in is complete</h1>');
			expect(text).toContain('Go forward to the application');
			expect(text).toContain('Open the Character Viewer');
			expect(text).not.toContain('role="alert"');
		}
	});

	test('breaks the redirect URI before its slashes', async () => {
		const user = at.user();
		const { text } = await user.signInOn(await user.authorize(at.viewer));
		expect(text).toMatch(/<code>https:\/\/[^</]+<wbr \/>.*\/viewer<wbr \/>\/callback<\/code>/);
	});

	test('begins with the demo accounts, and moves the focus to what a user needs next', async () => {
		const user = at.user();
		const empty = await user.authorize(at.viewer);
		expect(empty.text).toMatch(/<button class="primary[^>]* autofocus>player-one<[^]*<input name="username"/);
		const wrong = await user.signInOn(empty, 'wrong');
		expect(wrong.text).toMatch(/<input name="password"[^>]* autofocus/);
		expect(wrong.text.match(/ autofocus/g)).toHaveLength(1);
	});

	test('explains why a second sign-in brings no refresh token', async () => {
		const user = at.user();
		await user.offline();
		const asked = { access_type: 'offline', scope: 'character_read location_read' };
		const { text } = await user.openConsent(at.viewer, asked);
		expect(text).toContain('already has a refresh token and gets no new one');
		await user.revoke();
		expect((await user.openConsent(at.viewer, asked)).text).toContain('while you are signed out');
	});
});

describe('account settings', () => {
	test('ask before access is revoked, and name the application afterwards', async () => {
		const user = at.user();
		await user.offline();
		const { text } = await user.open('/account');
		expect(text).toMatch(/<summary[^>]*>Revoke access…<\/summary>[^]*loses access to your account at once/);
		const receipt = await user.open((await user.revoke()).location);
		expect(receipt.text).toContain('You revoked access for <bdi>Character Viewer</bdi>.');
	});

	test('show when an application last used its access, to the minute', async () => {
		const user = at.user();
		const lastUsed = async () => /<dt>Last used<\/dt><dd>([^<]+)/.exec((await user.open('/account')).text)?.[1];
		const code = await user.code();
		expect(await lastUsed()).toBe('Never');
		const { access_token } = (await at.exchange(code)).tokens;
		const issued = await lastUsed();
		await at.advance(59);
		await at.character(access_token);
		expect(await lastUsed()).toBe(issued);
		await at.advance(61);
		await at.character(access_token);
		expect(await lastUsed()).not.toBe(issued);
	});

	test('revoke the access of all applications after a confirmation', async () => {
		const user = at.user();
		await user.offline();
		expect((await user.open('/account')).text).not.toContain('Revoke all access');
		const { access_token } = await user.tokens(at.companion);
		const page = await user.open('/account');
		expect(page.text).toMatch(/<summary[^>]*>Revoke all access…<\/summary>[^]*All 2 applications lose access/);
		const fields = { csrf_token: page.hidden('csrf_token'), action: 'revoke-all' };
		const receipt = await user.open((await user.post('/account', fields)).location);
		expect(receipt.text).toContain('You revoked access for all applications.');
		expect(receipt.text).toContain('No application has access');
		expect((await at.character(access_token)).status).toBe(401);
	});

	test('show no receipt while the application has access, or for an unknown one', async () => {
		const user = at.user();
		await user.offline();
		for (const client_id of ['character-viewer', 'unknown', '*']) {
			expect((await user.open(`/account?revoked=${client_id}`)).text).not.toContain('You revoked');
		}
	});
});

describe('the error page of an authorization request', () => {
	const request = (redirect_uri: string) =>
		`/ws/oauth2/auth/?response_type=code&client_id=character-viewer&scope=character_read&redirect_uri=${redirect_uri}`;

	test('shows the redirect URI that was received, and to the owner also those that are registered', async () => {
		const visitor = await at.get(request('https%3A%2F%2Fx.example%2F'), ...html);
		expect(visitor.text).toContain('<dt>Received</dt><dd><code>https://x.example/</code>');
		expect(visitor.text).not.toContain(at.viewer.redirect_uri);
		const owner = await at.get(request('https%3A%2F%2Fx.example%2F'), ...html, 'X-Tollgate-Key', at.key);
		expect(owner.text).toContain(`<dt>Expected</dt><dd><code>${at.viewer.redirect_uri}</code>`);
	});

	test('shows an unknown client_id and where to find the right one', async () => {
		const { text } = await at.get('/ws/oauth2/auth/?client_id=x', ...html);
		expect(text).toContain('<code>client_id=x</code>');
		expect(text).toContain(`href="${at.base_url}/console"`);
	});
});
