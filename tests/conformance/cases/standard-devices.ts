import { defined, equal, ok } from '../assert.ts';
import type { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';
import {
	askForCodes,
	basic,
	deviceGrant,
	pollDevice,
	readCharacter,
	refreshWithBasic,
	standardCase,
	standardStoreCase
} from '../standard.ts';

const client_id = 'pocket-companion';

/** What a user decides on the page, after signing in there. */
async function decide(at: Sandbox, user_code: string, decision: string, name = 'player-one'): Promise<TestResponse> {
	const user = at.user(name);
	const path = `/ws/oauth2/device?user_code=${encodeURIComponent(user_code)}`;
	const formOf = (page: TestResponse) => ({
		csrf_token: page.hidden('csrf_token'),
		user_code: page.hidden('user_code')
	});
	const signedIn = { ...formOf(await user.open(path)), username: name, password: 'demo' };
	const next = await user.post('/ws/oauth2/device', signedIn);
	const page = await user.open(defined(next.location, 'the next page'));
	ok(page.text.includes(user_code), 'the page shows the code');
	return user.post('/ws/oauth2/device', { ...formOf(page), decision });
}

/** What rejected a poll: status, error, check and cause. */
async function rejection(at: Sandbox, response: TestResponse): Promise<unknown[]> {
	const failed = (await at.logged(response)).trace.find(({ outcome }) => outcome === 'failed');
	return [response.status, response.error, failed?.id, failed?.cause];
}

const pending = [400, 'authorization_pending', 'token.device_user_decided', 'undecided'];
const tooFast = [400, 'slow_down', 'token.device_interval_kept', undefined];
const expired = [400, 'expired_token', 'token.device_code_valid', 'expired'];
const denied = [400, 'access_denied', 'token.device_user_decided', 'denied'];
const used = [400, 'invalid_grant', 'token.device_code_valid', 'already_used'];

/** ST-11: devices without a browser (RFC 8628). */
export const standardDeviceCases = [
	standardStoreCase('ST-11 a device polls until its user allows access', async (at) => {
		const codes = await askForCodes(at);
		ok(/^[B-Z]{4}-[B-Z]{4}$/.test(codes.user_code), codes.user_code);
		equal(codes.verification_uri_complete, `${at.base_url}/ws/oauth2/device?user_code=${codes.user_code}`);
		equal(await rejection(at, await pollDevice(at, codes)), pending);
		await at.advance(5);
		equal((await decide(at, codes.user_code, 'approve')).status, 200);
		const response = await pollDevice(at, codes);
		equal(response.status, 200, response.text);
		const { access_token, refresh_token, token_type, scope } = response.tokens;
		equal([token_type, scope], ['Bearer', 'character_read']);
		equal((await readCharacter(at, access_token)).status, 200);
		const app = { client_id, client_secret: 'companion-secret', redirect_uri: '' };
		equal((await refreshWithBasic(at, defined(refresh_token, 'refresh_token'), app)).status, 200);
		equal(await rejection(at, await pollDevice(at, codes)), used);
	}),
	standardCase('ST-11 a poll that comes too early makes the interval 5 seconds longer', async (at) => {
		const codes = await askForCodes(at);
		equal(await rejection(at, await pollDevice(at, codes)), pending);
		await at.advance(2);
		equal(await rejection(at, await pollDevice(at, codes)), tooFast);
		await at.advance(6);
		equal(await rejection(at, await pollDevice(at, codes)), tooFast, 'after the old interval');
		await at.advance(15);
		equal(await rejection(at, await pollDevice(at, codes)), pending, 'after the new interval');
	}),
	standardStoreCase('ST-11 the codes end by the clock of the sandbox', async (at) => {
		const codes = await askForCodes(at);
		await at.advance(590);
		equal(await rejection(at, await pollDevice(at, codes)), pending);
		await at.advance(10);
		equal(await rejection(at, await pollDevice(at, codes)), expired);
		const user = at.user();
		await user.signIn();
		const page = await user.open(`/ws/oauth2/device?user_code=${codes.user_code}`);
		ok(page.status === 400 && page.text.includes('expired'), page.text);
	}),
	standardCase('ST-11 a user denies access, and no other user can decide again', async (at) => {
		const codes = await askForCodes(at);
		ok((await decide(at, codes.user_code, 'deny')).text.includes('Access denied'), 'the page');
		equal(await rejection(at, await pollDevice(at, codes)), denied);
		const user = at.user('player-two');
		await user.signIn();
		equal((await user.open(`/ws/oauth2/device?user_code=${codes.user_code}`)).status, 400);
		equal(await rejection(at, await pollDevice(at, codes)), denied);
	}),
	standardCase('ST-11 the page finds a code in any spelling, and rejects unknown ones', async (at) => {
		const { user_code } = await askForCodes(at);
		const user = at.user();
		await user.signIn();
		const open = (typed: string) => user.open(`/ws/oauth2/device?user_code=${encodeURIComponent(typed)}`);
		equal((await open(user_code.toLowerCase().replace('-', ' '))).status, 200);
		for (const typed of ['BCDF-GHJK', 'x', '<script>', `${user_code}B`]) equal((await open(typed)).status, 400, typed);
	}),
	standardCase('ST-11 a form of another site changes nothing', async (at) => {
		const codes = await askForCodes(at);
		const user = at.user();
		await user.signIn();
		const { user_code } = codes;
		const response = await user.post('/ws/oauth2/device', { user_code, decision: 'approve', csrf_token: 'x' });
		equal(response.status, 403, response.text);
		equal(await rejection(at, await pollDevice(at, codes)), pending);
	}),
	standardCase('ST-11 unknown codes, codes of others and missing ones are rejected', async (at) => {
		const codes = await askForCodes(at);
		const unknown = await pollDevice(at, { device_code: 'x'.repeat(43) });
		equal(await rejection(at, unknown), [400, 'invalid_grant', 'token.device_code_known', undefined]);
		const missing = await pollDevice(at, { device_code: '' });
		equal(await rejection(at, missing), [400, 'invalid_request', 'token.device_code_present', undefined]);
		const { device_code } = codes;
		const other = await at.token({ grant_type: deviceGrant, device_code }, ...basic(at.viewer));
		equal(await rejection(at, other), [400, 'invalid_grant', 'token.device_code_issued_to_client', undefined]);
		const scope = await at.post('/ws/oauth2/device_authorization', { client_id, scope: 'everything' });
		equal(await rejection(at, scope), [400, 'invalid_scope', 'device.scope_known', 'unknown_scope']);
	}),
	standardCase('ST-11 a user who revokes access before the device polls gives it none', async (at) => {
		const codes = await askForCodes(at);
		await decide(at, codes.user_code, 'approve');
		const { grants } = Object((await at.controlled('GET', 'credentials')).json());
		await at.controlled('DELETE', `credentials/grants/${String(grants[0]?.id)}`);
		const response = await pollDevice(at, codes);
		equal(await rejection(at, response), [400, 'invalid_grant', 'token.device_user_decided', 'access_revoked']);
	}),
	standardCase('ST-11 of 20 polls at the same instant, one gets tokens', async (at) => {
		const codes = await askForCodes(at);
		await decide(at, codes.user_code, 'approve');
		const responses = await Promise.all(Array.from({ length: 20 }, () => pollDevice(at, codes)));
		equal(responses.filter(({ status }) => status === 200).length, 1);
	}),
	standardCase('ST-11 metadata names the endpoint, and the specification does not have it', async (at) => {
		const metadata = Object((await at.get('/.well-known/oauth-authorization-server')).json());
		equal(metadata.device_authorization_endpoint, `${at.base_url}/ws/oauth2/device_authorization`);
		ok(metadata.grant_types_supported.includes(deviceGrant), 'the grant');
		await at.changeSettings({ dialect: 'specification' });
		equal((await at.post('/ws/oauth2/device_authorization', { client_id })).status, 404);
		equal((await at.get('/ws/oauth2/device')).status, 404);
	})
];
