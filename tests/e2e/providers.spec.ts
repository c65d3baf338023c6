import * as v from 'valibot';
import { hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

test('a surprise of a provider is sent, and the sandbox speaks like it', async ({ page, server }) => {
	await page.goto('/providers?provider=github');
	await hydrated(page);
	await expect(page.getByRole('heading', { name: 'GitHub OAuth apps' })).toBeVisible();
	await expect(page.getByText('Simulated. Not affiliated with GitHub.')).toBeVisible();
	const connect = page.getByRole('region', { name: 'Connect your app' });
	await expect(
		connect.getByText(/^npx tollgate as github --url https:\/\/localhost:\d+\S* -- npm run dev$/)
	).toBeVisible();
	for (const [way, part] of [
		['Vitest + MSW', "handlers(service, { as: 'github' })"],
		['Playwright', "simulateProviders(context, { as: 'github', url: process.env.TOLLGATE_BASE_URL ?? '' })"],
		['URLs', '/as/github/login/oauth/access_token']
	] as const) {
		await connect.getByRole('radio', { name: way }).check({ force: true });
		await expect(connect.locator('pre')).toContainText(part);
	}
	await page.getByText('Errors have status 200').click();
	await page.getByRole('button', { name: 'Send it' }).first().click();
	await expect(page.getByText('bad_verification_code')).toBeVisible();
	await expect(page.getByText('GitHub: errors have status 200')).toBeVisible();
	await expectUsable(page);

	await page.getByRole('searchbox', { name: 'Find a provider' }).fill('AADSTS');
	const list = page.getByRole('navigation', { name: 'Providers' });
	await expect(list.getByRole('link')).toHaveText(/Microsoft Entra/);
	await page.getByRole('searchbox', { name: 'Find a provider' }).fill('');
	await list.getByRole('link', { name: /Slack/ }).click();
	await page.getByRole('button', { name: 'Use in this sandbox' }).click();
	await expect(page.getByRole('button', { name: 'Back to specification' })).toBeVisible();
	await expect(page.getByText('Character Viewer cannot sign in here')).toBeVisible();
	const dialect = async () => JSON.stringify(await server.control('GET', '/control/settings'));
	await expect.poll(dialect).toContain('"dialect":"slack"');
	await expect(page.getByRole('banner').getByRole('link', { name: 'Speaks Slack' })).toBeVisible();
	await page.getByRole('button', { name: 'Back to specification' }).click();
	await expect.poll(dialect).toContain('"dialect":"specification"');
});

test('two providers are compared, and the page of the standards leads there', async ({ page }) => {
	await page.goto('/providers?compare=github,google');
	await hydrated(page);
	await expect(page.getByRole('row', { name: /^A used code/ })).toContainText('200 bad_verification_code');
	await expect(page.getByRole('row', { name: /^PKCE/ })).toBeHidden();
	await page.getByRole('button', { name: /^Show \d+ equal rows/ }).click();
	await expect(page.getByRole('row', { name: /^PKCE/ })).toBeVisible();
	await expectUsable(page);
	await page.getByLabel('Second').selectOption('github');
	await expect(page.getByText('0 of 22 rows differ.')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Send both' })).toHaveCount(0);
	await page.goto('/standards?difference=revocation');
	await expect(page).toHaveURL(/\/providers\?compare=specification,standard&difference=revocation$/);
	await hydrated(page);
	const row = page.getByRole('group').filter({ has: page.getByText('Revocation', { exact: true }) });
	await row.getByRole('button', { name: 'Send both' }).click();
	await expect(row.getByText('Different as documented')).toBeVisible();
	await expectUsable(page);
	await expect(row.getByRole('row', { name: /^method/ })).toHaveText(/GET\s*POST/);
	await expect(row.getByRole('insertion').first()).toBeVisible();
	const link = row.getByRole('link', { name: 'Today’s standards: open in the inspector' });
	await page.goto((await link.getAttribute('href')) ?? '');
	await expect(page.getByRole('region', { name: 'Selected exchange' })).toContainText('POST');
});

test('keys move in the list, open and compare, and a source of two years ago is to be read again', async ({
	page,
	server
}) => {
	await page.goto('/providers?provider=google');
	await hydrated(page);
	const list = page.getByRole('navigation', { name: 'Providers' });
	await list.getByRole('link', { name: /^Auth0/ }).focus();
	await page.keyboard.press('ArrowDown');
	await expect(list.getByRole('link', { name: /^Discord/ })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(page.getByRole('heading', { name: 'Discord' })).toBeVisible();
	await page.keyboard.press('c');
	await expect(page).toHaveURL(/\/providers\?compare=discord,specification$/);
	await page.goBack();
	await expect(page.getByRole('heading', { name: 'Discord' })).toBeVisible();
	await expect(page.getByText('Read again')).toHaveCount(0);
	await page.clock.setFixedTime('2029-01-01');
	await list.getByRole('link', { name: /^GitHub OAuth apps/ }).click();
	await page.getByText('Errors have status 200').click();
	await expect(page.getByText('Read again').first()).toBeVisible();

	await server.control('PATCH', '/control/settings', { dialect: 'discord' });
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto('/console');
	await expect(page.getByRole('banner').getByRole('link', { name: 'Speaks Discord' })).toBeVisible();
	await expectUsable(page);
});

test('the inspector shows a surprise of a provider, its source, and what the client did next', async ({
	page,
	server
}) => {
	const url = server.origin;
	const redirect_uri = `${url}/viewer/callback`;
	const query = new URLSearchParams({ client_id: 'character-viewer', redirect_uri, state: 'state' }).toString();
	const body = { username: 'player-one', query, provider: 'github' };
	const { location } = v.parse(
		v.object({ location: v.string() }),
		await server.control('POST', '/control/authorizations', body)
	);
	const code = new URL(location).searchParams.get('code') ?? '';
	const form = { client_id: 'character-viewer', client_secret: 'viewer-secret', code, redirect_uri };
	const headers = { 'user-agent': 'client' };
	for (let times = 0; times < 2; times += 1)
		await page.request.post(`${url}/as/github/login/oauth/access_token`, { form, headers, ignoreHTTPSErrors: true });
	const authorization = 'Bearer undefined';
	await page.request.get(`${url}/as/github/user`, { headers: { ...headers, authorization }, ignoreHTTPSErrors: true });

	await page.goto('/inspector');
	const rows = page.getByRole('treeitem');
	await expect(rows.filter({ hasText: 'Form' }).first()).toBeVisible();
	await rows.filter({ hasText: 'Status 200' }).click();
	const surprise = page.getByRole('region', { name: 'What surprises' });
	await expect(surprise).toContainText('GitHub: errors have status 200');
	await expect(surprise).toContainText('A client that trusts the status goes on without a token.');
	await expect(surprise.getByRole('link', { name: /^Observed \d{4}-\d\d-\d\d$/ })).toBeVisible();
	const next = page.getByRole('region', { name: 'What your client did next' });
	await expect(next).toContainText('Bearer undefined');
	await expect(next).toContainText('It took status 200 for a token.');
	await expectUsable(page);
	await next.getByRole('button', { name: 'GET /as/github/user' }).click();
	await expect(page.getByRole('region', { name: 'Selected exchange' })).toContainText('401');
	await page.goto('/inspector');
	await rows.filter({ hasText: 'Status 200' }).click();
	await surprise.getByRole('link', { name: 'Compare' }).first().click();
	await expect(page).toHaveURL(/\/providers\?compare=github,standard$/);
});

test('an own API is described beside its effect, explained, and used in a new sandbox', async ({ page }) => {
	await page.goto('/providers');
	await hydrated(page);
	await page.getByRole('link', { name: 'Describe your API' }).click();
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const effect = page.getByRole('region', { name: 'What a client sees' });
	await expect(effect).toContainText('"expires_in":900');
	await effect.getByRole('radio', { name: 'Error' }).check({ force: true });
	await expect(effect).toContainText('"code":"invalid_grant"');
	await expect(effect).toContainText('9, of which 3 are explained');
	await expectUsable(page);
	await effect.getByRole('button', { name: 'Explain: Access token lives' }).click();
	const status = page.getByRole('status').filter({ hasText: 'Write an https URL.' });
	await expect(status).toBeVisible();
	await expect(effect).toContainText('Last valid file');
	await expect(page.getByRole('button', { name: 'Use in a new sandbox' })).toBeDisabled();
	const editor = page.getByRole('textbox', { name: 'Your own API' });
	await page.keyboard.press('F8');
	await expect(editor).toBeFocused();
	await page.keyboard.press('End');
	for (const _ of '",') await page.keyboard.press('ArrowLeft');
	await page.keyboard.type('docs.bank.example/tokens');
	await expect(effect).toContainText('9, of which 4 are explained');
	await expectUsable(page);
	await page.getByRole('button', { name: 'Use in a new sandbox' }).click();
	await expect(page).toHaveURL(/\/~[^/]+\/providers\?provider=own$/);
	await expect(page.getByRole('heading', { name: 'Example Bank' })).toBeVisible();
	await expect(page.getByText('In use').first()).toBeVisible();
	await expect(page.getByText('Access token lives: 15 minutes').first()).toBeVisible();
});

test('an OpenAPI document becomes a draft, a wrong one changes nothing, and the text before comes back', async ({
	page
}) => {
	await page.goto('/providers?provider=own');
	await page.goto('/providers?describe');
	await hydrated(page);
	const editor = page.getByRole('textbox', { name: 'Your own API' });
	await expect(editor).toContainText('Example Bank');
	const choose = (name: string, text: string) =>
		page
			.getByLabel('OpenAPI document')
			.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });
	await choose('wrong.json', '{\n  "openapi": "3.0.0",\n}');
	await expect(page.getByRole('alert')).toContainText('wrong.json was not imported');
	await expect(page.getByRole('alert')).toContainText('line 3');
	await expect(editor).toContainText('Example Bank');
	await choose(
		'harbor.yaml',
		`openapi: 3.1.0
info: { title: Harbor, version: '1' }
servers: [{ url: https://api.harbor.example }]
paths:
  /me:
    get: { responses: { '200': { content: { application/json: { schema: { properties: { owner: { const: harbor } } } } } } } }
    post: {}
components:
  securitySchemes:
    login:
      type: oauth2
      flows:
        authorizationCode:
          { authorizationUrl: https://login.harbor.example/a, tokenUrl: https://login.harbor.example/t, scopes: { read: Read } }
`
	);
	await expect(page.getByText('Draft of harbor.yaml')).toBeVisible();
	await expect(page.getByText('Line 5: Left out: POST /me. Only GET is simulated.')).toBeVisible();
	await expect(editor).toContainText('"title": "Harbor"');
	const effect = page.getByRole('region', { name: 'What a client sees' });
	await expect(effect.getByText('Live', { exact: true })).toBeVisible();
	await effect.getByRole('radio', { name: 'API' }).check({ force: true });
	await expect(effect).toContainText('{"owner":"harbor"}');
	await expectUsable(page);
	await page.reload();
	await hydrated(page);
	await expect(editor).toContainText('"title": "Harbor"');
	await page.getByRole('button', { name: 'Back to the text before' }).click();
	await expect(editor).toContainText('Example Bank');
	await page.getByRole('button', { name: 'Back to the text before' }).click();
	await expect(editor).toContainText('"title": "Harbor"');
});
