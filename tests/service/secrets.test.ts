import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { redactHeaders, redactSecrets, redactTarget } from '#api/redact.ts';
import { rootSandbox } from '#service/core/target.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { App, Sandbox } from '../conformance/sandbox.ts';
import { encode, formType } from '../conformance/sandbox.ts';
import type { TestUser } from '../conformance/user-agent.ts';
import { ClassServer } from './class/class-server.ts';
import { createTestService } from './test-service.ts';

/** Everything that was issued or entered and must stay secret. */
type Secrets = Set<string>;

type Move = (at: Sandbox, user: TestUser, app: App, secrets: Secrets) => Promise<unknown>;

const moves: Record<string, Move> = {
	async online(at, user, app, secrets) {
		const code = await user.code(app);
		secrets.add(code);
		secrets.add((await at.exchange(code, app)).tokens.access_token);
	},
	async offline(at, user, app, secrets) {
		const code = await user.code(app, { access_type: 'offline' });
		secrets.add(code);
		const tokens = (await at.exchange(code, app)).tokens;
		for (const token of [tokens.access_token, tokens.refresh_token]) if (token !== undefined) secrets.add(token);
		await at.character(tokens.access_token, 'Mara Vell', 'Accept', 'application/xml');
	},
	async everywhere(at, _, app, secrets) {
		// Every secret so far, in every place where a client may put it, right or wrong.
		for (const secret of [...secrets].filter((one) => !one.includes(' ')).slice(-6)) {
			await at.get(`/ws/v2.0/ratelimits?access_token=${secret}`);
			await at.get('/ws/v2.0/ratelimits', 'Authorization', `OAuth ${secret}`);
			await at.get('/ws/v2.0/ratelimits', 'Authorization', `Bearer ${secret}`);
			await at.get('/ws/v2.0/ratelimits', 'Authorization', secret);
			await at.get('/ws/v2.0/ratelimits', 'Referer', `${app.redirect_uri}&code=${secret}&state=1`);
			await at.get(`/ws/oauth2/revoke?token=${secret}&client_id=unknown`);
			await at.get(`/ws/oauth2/revoke?refresh_token=${secret}&client_id=${app.client_id}`);
			await at.get(`/ws/oauth2/auth/?client_secret=${secret}&code=${secret}&password=${secret}`);
			await at.get(`/ws/oauth2/auth/?Access%5FToken=${secret}&%74oken=${secret}`);
			await at.refresh(secret, app);
			await at.exchange(secret, app);
			const body = encode({ grant_type: 'refresh_token', refresh_token: secret, client_secret: secret });
			await at.send({ method: 'POST', target: '/ws/oauth2/token/', body });
			await at.send({ method: 'PUT', target: '/ws/oauth2/token/', headers: formType, body });
			await asOther(
				at,
				'application/json',
				JSON.stringify({ code: secret, refresh_token: secret, client_secret: secret })
			);
			await asOther(at, 'application/json', `{"refresh_token" : "${secret}", "x": {"access_token":"${secret}"`);
			await asOther(at, 'text/plain', body);
			await asOther(at, 'multipart/form-data; boundary=b', multipart(secret));
			if (/^[\w-]{43}$/.test(secret)) await astray(at, secret);
			await asOther(at, 'application/xml', `<OAuth><refresh_token>${secret}</refresh_token></OAuth>`);
		}
	},
	async replay(at, _, app, secrets) {
		for (const secret of [...secrets].slice(-3)) await at.exchange(secret, app);
	},
	async reject(at, user, app) {
		const page = await user.openConsent(app, { scope: 'character_write' });
		if (page.text.includes('value="deny"')) await user.decide(page, 'deny');
	},
	async outOfBand(at, user, _, secrets) {
		const code = await user.code(at.companion, { access_type: 'offline' });
		secrets.add(code);
		const { refresh_token = '' } = (await at.exchange(code, at.companion)).tokens;
		secrets.add(refresh_token);
	},
	async register(at, user, _, secrets) {
		const { client_id, client_secret } = await at.register('web', ['https://x.example/cb']);
		const rotated = await at.controlled('POST', `applications/${client_id}/secret`);
		secrets.add(client_secret).add(rotated.as(v.object({ client_secret: v.string() })).client_secret);
		await user.signIn();
		secrets.add((await user.open('/account')).hidden('csrf_token'));
	},
	async signInAgain(at, user) {
		await user.signIn();
		await at.user().signIn('a wrong but real pa$$word & more');
	},
	async revokeAccess(_, user, app) {
		await user.revoke(app.client_id);
	}
};

it('RM-04 RV-04 no secret that was issued or typed is in the log, whatever is done with it', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom(...Object.keys(moves)), { minLength: 3, maxLength: 12 }),
			async (names) => {
				const tested = createTestService();
				const at = await tested.sandbox();
				await at.changeSettings({ limits: { ratelimits: 100_000 } });
				const app = await at.register('web', ['https://client.example/cb?x=1']);
				const user = at.user();
				const secrets: Secrets = new Set([app.client_secret, at.key, 'a wrong but real pa$$word']);
				let log = '';
				for (const name of names) {
					await moves[name]?.(at, user, app, secrets);
					for (const value of user.cookies.values()) secrets.add(value);
					log += await at.traffic();
				}
				for (const secret of secrets) {
					const at = log.indexOf(secret);
					expect(at < 0 ? '' : log.slice(Math.max(0, at - 200), at + 60), names.join(', ')).toBe('');
					expect(log.includes(encodeURIComponent(secret))).toBe(false);
				}
				expect(tested.faults).toEqual([]);
			}
		),
		// Nine moves, about seven a run: each is made about ten times.
		{ numRuns: import.meta.env.MODE === 'nightly' ? 200 : 12 }
	);
});

it('CO-06 a dump of the store holds nothing that can be replayed', async () => {
	const server = new ClassServer();
	const { tested } = server;
	const opened = await server.open();
	const seat = await server.join(opened.code);
	const at = await tested.sandbox();
	const secrets: Secrets = new Set([opened.key, seat.key, seat.applications[0]?.client_secret ?? '']);
	const app = await at.register('web', ['https://client.example/cb']);
	const user = at.user();
	for (const name of ['offline', 'outOfBand', 'register']) await moves[name]?.(at, user, app, secrets);
	const page = await user.authorize(app, { scope: 'credits_read' });
	const all = [...secrets, app.client_secret, at.key, page.hidden('interaction'), ...user.cookies.values(), '"demo"'];
	let dump = '';
	for (const id of [at.id, seat.id, rootSandbox]) {
		const area = tested.store.forSandbox(id, { sandbox: () => 0, real: () => 0 });
		for (const kind of kinds) dump += JSON.stringify(await area.list(kind));
	}
	expect(dump).toContain(app.client_id);
	expect(dump).toContain(seat.label);
	for (const secret of all) expect(dump.includes(secret), secret).toBe(false);
});

it('CO-06 a thousand tokens of 256 bits, no two alike', async () => {
	const at = await createTestService().sandbox();
	const { refresh_token } = await at.user().offline();
	const seen = new Set<string>();
	for (let count = 0; count < 1_000; count++) seen.add((await at.refresh(refresh_token)).tokens.access_token);
	expect(seen.size).toBe(1_000);
	for (const token of seen) expect(token).toMatch(/^[\w-]{43}$/);
});

it('redaction leaves everything else as sent', () => {
	const plain = fc
		.stringMatching(/^[a-z0-9/=&?._~-]{0,40}$/)
		.filter((text) => !/code|token|secret|password|interaction|key|state/.test(text));
	fc.assert(
		fc.property(plain, (text) => {
			expect(redactTarget(`/x?${text}`)).toBe(`/x?${text}`);
			expect(redactHeaders(['X-Odd', text])).toEqual(['X-Odd', text]);
			expect(redactSecrets(text)).toBe(text);
		})
	);
});

const kinds = [
	'state',
	'share',
	'share_place',
	// A world of a sandbox is public, with the secrets in it.
	'world',
	'sandbox',
	'class',
	'class_lessons',
	'seat',
	'seat_program',
	'application',
	'account',
	'permission',
	'character',
	'record_list',
	'grant',
	'token_family',
	'code',
	'access_token',
	'refresh_token',
	'pending_authorization',
	'device_authorization',
	'dpop_proof',
	'used_assertions',
	'client_document',
	'pushed_request',
	'browser_session',
	'rate_limit_window',
	'blacklist_entry',
	'ticket',
	'failed_attempts',
	// The private keys of ID tokens, which the service cannot sign without. `signing-keys.test.ts` looks for them elsewhere.
	'signing_key'
] as const;

it('looks at every kind of record', () => {
	expect([...kinds].sort()).toEqual(Object.keys(recordLimits).sort());
});

/** In places that only a mistake puts a secret into. */
async function astray(at: Sandbox, secret: string): Promise<void> {
	for (const query of ['f=1?access_token=', 'f=1;access_token=', 'access_token[]=', 'accessToken=', 'x=', '']) {
		await at.get(`/ws/v2.0/character/x?${query}${secret}`);
	}
	for (const path of ['character/x&access_token=', 'character/x%3Faccess_token=', 'character/', '']) {
		await at.get(`/ws/v2.0/${path}${secret}`);
	}
	for (const name of ['X-Access-Token', 'access_token', 'X-Api-Key', 'X-Original-URL', 'Referer']) {
		await at.get('/ws/v2.0/ratelimits', name, name.includes('R') ? `/a#?access_token=${secret}` : secret);
	}
	await at.get('/ws/v2.0/ratelimits', 'Authorization', `${secret} x`);
	for (const body of [
		`a=1;refresh_token=${secret}`,
		`a=1\nrefresh_token=${secret}`,
		`clientSecret=${secret}`,
		secret
	]) {
		await at.send({ method: 'POST', target: '/ws/oauth2/token/', headers: formType, body });
	}
	await asOther(at, 'application/json', `{"refresh\\u005ftoken":"${secret}"}`);
}

function asOther(at: Sandbox, type: string, body: string): Promise<unknown> {
	return at.send({ method: 'POST', target: '/ws/oauth2/token/', headers: ['Content-Type', type], body });
}

function multipart(secret: string): string {
	const parts = ['refresh_token', 'client_secret', 'code'].map(
		(name) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${secret}\r\n`
	);
	return `${parts.join('')}--b--\r\n`;
}
