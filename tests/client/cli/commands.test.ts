import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { setUp, TerminalStream } from './test-cli.ts';

const at = setUp();

describe('show', () => {
	test('shows what the permissions allow, and how to see more', async () => {
		await at.cli.run(['login', '--scope', 'character_read location_read']);
		const { code, out, err } = await at.cli.run(['show', 'Mara', 'Vell']);
		expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('Fetching Mara Vell …\n') });
		expect(out).toMatch(/^Mara Vell\n {2}race +Human\n/);
		expect(out).toContain('Lantern Quay');
		expect(err).toContain(
			'sign in with: npm run companion -- login --scope "character_read location_read inventory_read'
		);
		expect(err).toMatch(/599 of 600 requests left, reset in (?:60|59) min/);
		const secrets = [...at.cli.credentials().matchAll(/_token": "([^"]+)"/g)].map(([, secret]) => secret);
		expect(secrets).toHaveLength(2);
		for (const secret of secrets) expect(out + err).not.toContain(secret);
		expect(out + err).not.toContain('\u001b');
	});

	test("says that another user's character only has public fields", async () => {
		await at.cli.run(['login', '--scope', 'character_read location_read']);
		const { err } = await at.cli.run(['show', 'Half/Life']);
		expect(err).toContain('This character belongs to another user. Only its public fields are visible.');
		expect(err).not.toContain('To see more fields');
	});

	test('--json writes the character as the service sent it, and the rate limit', async () => {
		await at.cli.run(['login']);
		const { data } = await at.cli.json(['show', 'Mara Vell']);
		expect(data).toMatchObject({
			character: { name: 'Mara Vell', race: 'Human' },
			rate_limit: { limit: 600, remaining: 599, reset: expect.any(Number) }
		});
	});

	test('refreshes an expired access token once', async () => {
		await at.cli.run(['login']);
		await at.sandbox.advance(4000);
		const { code, err } = await at.cli.run(['show', 'Mara Vell']);
		expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('Refreshing the access token …\n') });
		expect((await at.cli.run(['show', 'Mara Vell'])).err).not.toContain('Refreshing');
	});

	test('exits with 3 without a sign-in', async () => {
		const { code, err } = await at.cli.run(['show', 'Mara Vell']);
		expect(code).toBe(3);
		expect(err).toContain(`Sign in: npm run companion -- login --base-url ${at.sandbox.base_url}\n`);
	});

	test('exits with 3 after access was revoked, and deletes the tokens', async () => {
		await at.cli.run(['login']);
		const token = /"refresh_token": "([^"]+)"/.exec(at.cli.credentials())?.[1] ?? '';
		await at.sandbox.revoke(token, 'pocket-companion');
		for (const args of [['show', 'Mara Vell'], ['limits']]) {
			expect(await at.cli.json(args)).toMatchObject({ code: 3, data: { error: { code: 'access_revoked' } } });
		}
		expect(at.cli.credentials()).toContain('"refresh_token": null');
		expect(await at.cli.json(['logout'])).toMatchObject({ code: 0, data: { result: 'already_revoked' } });
		expect((await at.cli.run(['login'])).code).toBe(0);
	});

	test('exits with 6 at the rate limit and says when to try again', async () => {
		await at.cli.run(['login']);
		await at.sandbox.changeSettings({ limits: { character: 0 } });
		const { data } = await at.cli.json(['show', 'Mara Vell']);
		expect(data).toMatchObject({ error: { code: 'rate_limit_exceeded', status: 400, retry_at: expect.any(Number) } });
		const { code, err } = await at.cli.run(['show', 'Mara Vell']);
		expect(code).toBe(6);
		expect(err).toMatch(/Try again after \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
	});

	test('exits with 1 for an unknown character', async () => {
		await at.cli.run(['login']);
		const { code, data } = await at.cli.json(['show', 'Unknown']);
		expect({ code, data }).toMatchObject({ code: 1, data: { error: { code: 'not_found', status: 404 } } });
	});

	test('exits with 5 if the service does not respond', async () => {
		await at.cli.run(['login']);
		await at.sandbox.controlled('POST', 'faults', { endpoint: 'character', kind: 'drop' });
		const { code, err } = await at.cli.run(['show', 'Mara Vell']);
		expect(code).toBe(5);
		expect(err).toContain(`${at.sandbox.base_url}/ratelimiting`);
	});

	test('tells a blacklisted user where to file a ticket', async () => {
		await at.cli.run(['login']);
		await at.sandbox.changeSettings({ limits: { character: 0, blacklist_after_refused: 1 } });
		await at.cli.run(['show', 'Mara Vell']);
		const { code, err } = await at.cli.run(['show', 'Mara Vell']);
		expect(code).toBe(5);
		expect(err).toContain('✗ This address is blacklisted\n');
		expect(err).toContain(`File a support ticket: ${at.sandbox.base_url}/console/support\n`);
	});

	test('uses bold, dim and a spinner on a terminal', async () => {
		vi.stubEnv('CI', undefined); // The spinner does not move on a CI server or a dumb terminal.
		vi.stubEnv('TERM', 'xterm');
		onTestFinished(() => void vi.unstubAllEnvs());
		await at.cli.run(['login']);
		const [stdout, stderr] = [new TerminalStream(), new TerminalStream()];
		await at.cli.run(['show', 'Mara Vell'], { stdout, stderr });
		expect(stdout.text).toContain('\u001b[1mMara Vell\u001b[22m');
		expect(stdout.text).toContain('\u001b[2mrace');
		expect(stderr.text).toMatch(/Fetching Mara Vell ….*\u001b\[2KTo see more fields/);
	});
});

test('limits shows a table, and with --json seconds', async () => {
	await at.cli.run(['login']);
	const { out } = await at.cli.run(['limits']);
	expect(out).toMatch(/^PATTERN +LIMIT +LEFT +RESETS +AT\n/);
	expect(out).toMatch(/\n\/ws\/v2\.0\/ratelimits +150 +149 +in \d+ min +\S.* \+0000\n/);
	const { data } = await at.cli.json(['limits']);
	expect(data).toMatchObject({ ratelimits: expect.arrayContaining([expect.objectContaining({ remaining: 148 })]) });
});

describe('logout', () => {
	test('revokes access and deletes the tokens', async () => {
		await at.cli.run(['login']);
		const token = /"access_token": "([^"]+)"/.exec(at.cli.credentials())?.[1] ?? '';
		expect((await at.sandbox.character(token)).status).toBe(200);
		const { code, out } = await at.cli.run(['logout']);
		expect({ code, out }).toEqual({ code: 0, out: 'Signed out. Access is revoked and the tokens are deleted.\n' });
		expect((await at.sandbox.character(token)).status).toBe(401);
		expect(at.cli.files()).toEqual([]);
	});

	test('--json says what was revoked and deleted', async () => {
		expect((await at.cli.json(['logout'])).data).toEqual({ signed_in: false, result: 'not_signed_in', deleted: null });
		await at.cli.run(['login', '--online']);
		const [file] = at.cli.files();
		expect((await at.cli.json(['logout'])).data).toEqual({ signed_in: false, result: 'not_revocable', deleted: file });
	});

	test('keeps the tokens if the service does not respond', async () => {
		await at.cli.run(['login']);
		await at.sandbox.controlled('POST', 'faults', { endpoint: 'revoke', kind: 'drop' });
		expect((await at.cli.run(['logout'])).code).toBe(5);
		expect((await at.cli.run(['logout'])).out).toContain('Access is revoked');
	});
});
