import { beforeEach, expect, test } from 'vitest';
import { readWorld } from '#service/world/read-world.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';
import bank from '../../worlds/bank.json' with { type: 'json' };
import { createTestService } from '../test-service.ts';

let at: Sandbox;
const planner = () => ({
	client_id: 'budget-planner',
	client_secret: 'planner-secret',
	redirect_uri: `${at.base_url}/viewer/callback`
});

beforeEach(async () => {
	const { digest } = createTestService().options;
	at = await createTestService({ world: readWorld(bank, { digest }) }).sandbox();
});

test('the sign-in and consent pages have the texts, names, addresses and icons of the world', async () => {
	const user = at.user('astrid');
	const signIn = await user.authorize(planner(), { scope: 'accounts.read' });
	expect(signIn.text).toContain('Use the customer number of your online banking.');
	expect(signIn.text).toContain('Astrid Holm (astrid, astrid@nordbank.example): two accounts');
	expect(signIn.header('content-security-policy')).toContain("img-src 'self' data:");
	const consent = await user.signInOn(signIn);
	expect(consent.text).toContain('Nordbank is liable for what you allow here under PSD2.');
	expect(consent.text).toContain('<strong>Astrid Holm</strong> (astrid, astrid@nordbank.example)');
	expect(consent.text).toContain(`<img class="logo" src="${bank.applications[0]?.icon ?? ''}"`);
});

test('the resource has a path of the world beside that of the specification', async () => {
	const { access_token } = await at.user('astrid').tokens(planner(), { scope: 'accounts.read' });
	const read = (path: string) => at.get(`/ws/v2.0/${path}/DK50%200040`, 'Authorization', `OAuth ${access_token}`);
	const [own, specified] = [await read('account'), await read('character')];
	expect([own.status, own.text]).toEqual([200, specified.text]);
	expect(Number(specified.header('x-ratelimit-remaining'))).toBe(Number(own.header('x-ratelimit-remaining')) - 1);
	expect((await read('ship')).status).toBe(404);
});

test('the account page names the user and the icon, and the rate limit page the path, of the world', async () => {
	const user = at.user('astrid');
	await user.tokens(planner(), { scope: 'accounts.read' });
	const account = await user.open('/account');
	expect(account.text).toContain('Signed in as <strong>Astrid Holm</strong> (astrid)');
	expect(account.text).toContain(`src="${bank.applications[0]?.icon ?? ''}"`);
	const limits = await at.get('/ratelimiting', 'Accept', 'text/html');
	expect(limits.text).toContain('<code>/ws/v2.0/account/*</code>');
	expect(limits.text).not.toContain('<code>/ws/v2.0/character/*</code>');
	const { text } = await at.get('/ratelimiting');
	expect(text).toContain('"/ws/v2.0/character/*"');
});

test('the public world has what pages show', async () => {
	const world = JSON.parse((await at.get('/control/world')).text);
	expect(world).toMatchObject({
		brand: { headline: bank.brand.headline, intro: bank.brand.intro },
		resource: { path: 'account', fields: bank.resource.fields },
		viewer: { icon: bank.applications[0]?.icon }
	});
	expect((await at.controlled('GET', 'applications')).text).not.toContain('data:image');
});
