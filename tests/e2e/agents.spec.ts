import { Agent, fetch as undiciFetch } from 'undici';
import { clientVersion1, clientVersion2 } from '../conformance/agent-clients.ts';
import { fetchTransport } from '../conformance/hosts/fetching.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import { expectAccessible } from './axe.ts';
import { expect, test, type Server } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

/** A sandbox of the server, called from outside of the browser. */
async function createSandbox({ origin, authority }: Server): Promise<Sandbox> {
	const dispatcher = new Agent({ connect: { ca: authority } });
	const transport = fetchTransport(
		origin,
		'',
		async (request) => {
			const { method, url } = request;
			const body = await request.text();
			const headers = Object.fromEntries(request.headers);
			const sent = { method, dispatcher, redirect: 'manual', headers } as const;
			const received = await undiciFetch(url, body === '' ? sent : { ...sent, body });
			const text = [204, 303].includes(received.status) ? null : await received.text();
			return new Response(text, { status: received.status, headers: [...received.headers] });
		},
		() => dispatcher.close()
	);
	return Sandbox.create(transport);
}

test('two agents are compared step by step, and the issuer character by character', async ({ page, server }) => {
	const at = await createSandbox(server);
	const { url } = Object((await at.control('POST', 'owner-links', { key: at.key })).json());
	await page.goto(String(url));
	// The page sets the cookie of the owner after it has loaded.
	await expect(page.getByText('You control this sandbox', { exact: true })).toBeVisible();
	await page.goto(`${at.base_url}/agents`);
	await expect(page.getByRole('heading', { name: 'Connect an agent to this sandbox' })).toBeVisible();
	await page.getByRole('button', { name: 'Use today’s standards' }).click();
	await expect(page.getByText('RFC 7591. At most 20 clients in a sandbox.')).toBeVisible();
	expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
	await expectAccessible(page);

	await at.changeSettings({ agent_fault: 'iss_slash' });
	for (const create of [clientVersion2, clientVersion1])
		await create({ at })
			.call('list_names')
			.catch(() => undefined);
	// The second agent has failed when its token request arrives. Until then nothing is wrong with it.
	await expect(page.getByText('Failed at 8').filter({ visible: true })).toBeVisible();
	await expect(page.getByText('All 8 right').filter({ visible: true })).toBeVisible();
	expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
	await expectAccessible(page);

	// By keyboard: the step below, the other client, then the differences only.
	const cell = (step: number, side: string) => page.locator(`[data-cell="${step} ${side}"]`).getByRole('link');
	await cell(1, 'a').focus();
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowRight');
	await expect(cell(2, 'b')).toBeFocused();
	await page.keyboard.press('d');
	await expect(page.getByRole('button', { name: /^Step 1:/ })).toBeHidden();
	await page.getByRole('button', { name: 'Show both' }).last().click();
	await expect(page.getByRole('heading', { name: 'The issuer has one character more' })).toBeVisible();
	await expect(page.getByText('Accepted the response')).toBeVisible();
	await expectUsable(page);
	await page.goBack();
	await expect(page.getByText('Failed at 8').filter({ visible: true })).toBeVisible();
	await page.setViewportSize({ width: 390, height: 844 });
	await expect(page.locator('[data-cell="8 a"]')).toBeVisible();
	await expect(page.locator('[data-cell="8 b"]')).toBeVisible();
	await expectUsable(page);
});
