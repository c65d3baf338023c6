import { describe, expect, test } from 'vitest';
import { characterViewer } from '#client/demo-clients.ts';
import { ViewerClient } from '#features/viewer/client.ts';
import { errorCode, TestBrowser } from '../../client/test-browser.ts';

const attacker = { username: 'player-three' };

/** A code of the attacker, who asked with the attacker's own browser. */
async function uninvited(browser: TestBrowser): Promise<URLSearchParams> {
	const { redirect_uri, client_id } = (await browser.open()).registration;
	const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, scope: 'character_read' });
	const url = new URL(`${browser.service.baseUrl}/ws/oauth2/auth/?${query.toString()}`);
	return browser.service.approve(url, attacker);
}

describe('the state check', () => {
	test('rejects an uninvited code, and sends no request', async () => {
		const browser = new TestBrowser();
		const client = await browser.open();
		expect(await errorCode(client.handleCallback(await uninvited(browser)))).toBe('state_missing');
		const withState = await uninvited(browser);
		withState.set('state', 'of the attacker');
		expect(await errorCode(client.handleCallback(withState))).toBe('state_unknown');
		expect(browser.service.count('/token/')).toBe(0);
	});

	test('off: the code of another browser signs its user in', async () => {
		const browser = new TestBrowser();
		const client = await browser.open();
		await client.settings.update({ checkState: false });
		const id = await client.handleCallback(await uninvited(browser));
		const messages = client.log.events.map(({ message }) => message);
		expect(messages).toContain('State not checked');
		expect(client.log.events.map(({ type }) => type)).not.toContain('state_verified');
		expect((await browser.user(client, id)).refresh_token).toBeNull();
		expect(browser.service.count('/token/')).toBe(1);
	});

	test('off: a sign-in of this tab still sends its verifier', async () => {
		const browser = new TestBrowser();
		const client = await browser.open();
		await client.settings.update({ checkState: false });
		const user = await browser.signIn(client);
		expect(user.refresh_token).not.toBeNull();
		expect(browser.service.requests.at(-1)?.form.has('code_verifier')).toBe(true);
	});

	test('is off for one service only, in all of its tabs', async () => {
		const browser = new TestBrowser();
		const client = await browser.open();
		await client.settings.update({ checkState: false });
		expect((await browser.open('tab-2')).settings.value.checkState).toBe(false);
		const baseUrl = 'https://other.test';
		const other = new ViewerClient(
			baseUrl,
			await browser.service.world(),
			browser.environment(),
			characterViewer(baseUrl)
		);
		await other.restore();
		expect(other.settings.value.checkState).toBe(true);
	});
});
