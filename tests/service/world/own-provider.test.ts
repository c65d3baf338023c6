import { expect, it, test } from 'vitest';
import { readWorld } from '#service/world/read-world.ts';
import { formType, Sandbox } from '../../conformance/sandbox.ts';
import { createTestService } from '../test-service.ts';

const provider = {
	title: 'Harbor API',
	dialect: {
		endpoints: [
			{ kind: 'token', url: 'https://id.harbor.example/oauth/token' },
			{ kind: 'api', url: 'https://api.harbor.example/v1/me', body: { account: { login: '{username}' } } }
		],
		errors: {
			token: {
				status: 422,
				body: { fault: { code: '{error}' } },
				headers: { 'x-harbor': 'no' },
				cases: [{ checks: ['token.client_authenticated'], error: 'unknown_app' }]
			}
		}
	},
	surprises: [
		{
			title: 'Errors have status 422',
			why: 'A client that knows 400 only reads a success.',
			fact: 'errors.token.status',
			check: 'provider.error_status',
			send: { situation: 'wrong_secret' },
			expect: { status: 422 }
		}
	]
};
const world = { format: 'tollgate-world', version: 1, provider };

async function inWorld(file: object = world) {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.controlled('PUT', 'world', file);
	return at;
}

it('speaks as its world describes, below /as/own and with the setting, and the trace names the surprise', async () => {
	const at = await inWorld();
	const form = {
		grant_type: 'refresh_token',
		refresh_token: 'x',
		client_id: 'character-viewer',
		client_secret: 'wrong'
	};
	const send = (target: string) =>
		at.send({ method: 'POST', target, headers: formType, body: new URLSearchParams(form).toString() });
	const named = await send('/as/own/oauth/token');
	const names = (await at.logged(named)).trace.map(({ name }) => name);
	expect(names).toContain('Harbor API: errors have status 422');
	expect([named.status, named.header('x-harbor'), JSON.parse(named.text)]).toEqual([
		422,
		'no',
		{ fault: { code: 'unknown_app' } }
	]);
	expect((await send('/as/own/oauth/tokens')).status).toBe(404);
	await at.controlled('PATCH', 'settings', { dialect: 'own' });
	expect((await send('/ws/oauth2/token/')).status).toBe(422);
	expect(JSON.parse((await at.controlled('GET', 'provider')).text)).toEqual({ provider });
	const status: unknown = JSON.parse((await at.controlled('GET', 'status')).text);
	expect(status).toMatchObject({ dialect: 'standard', provider: 'own', provider_title: 'Harbor API' });
});

it('has no own API without a description', async () => {
	const at = await inWorld({ format: 'tollgate-world', version: 1 });
	await expect(at.controlled('PATCH', 'settings', { dialect: 'own' })).rejects.toThrow(/describes no API/);
	expect((await at.send({ method: 'POST', target: '/as/own/oauth/token' })).status).toBe(404);
	const preset = { format: 'tollgate-preset', version: 1, settings: { dialect: 'own' } };
	await expect(Sandbox.create(at.transport, { preset })).rejects.toThrow(/preset.settings.dialect: .*describes no API/);
	expect((await Sandbox.create(at.transport, { preset: { ...preset, world } })).id).toBeTruthy();
});

/** The mistakes of a world with a text replaced. */
function mistakesOf(from: string, to: string): string[] {
	const text = JSON.stringify(world, undefined, '\t');
	expect(text).toContain(from);
	try {
		readWorld(text.replace(from, to), { digest: (one) => one });
		return [];
	} catch (fault) {
		return String(fault).split('\n');
	}
}

test.each([
	['"x-harbor"', '"set-cookie"', /provider\.dialect\.errors\.token\.headers\.set-cookie.*Use X- fields/i],
	['"x-harbor"', '"x-accel-redirect"', /Use X- fields/i],
	['"no"', '"no\\r\\nset-cookie: a"', /printable ASCII characters/i],
	['"unknown_app"', '7', /provider\.dialect\.errors\.token\.cases\.0\.error/],
	['"token.client_authenticated"', '"token.client"', /cases\.0\.checks\.0.*Found "token\.client"/i],
	['"errors.token.status"', '"errors.token.state"', /surprises\.0\.fact.*Found "errors\.token\.state"/i],
	['oauth/token', '{a}{b}{c}{d}', /at most three variable parts/i],
	['oauth/token', '{a}/{a}', /each once/i],
	['oauth/token', '{a', /such as \{tenant\}/i],
	['v1/me', 'oauth/token', /Write each path once/i],
	['"provider": {', '"settings": {"dialect": "own"}, "provider_": {', /provider_/]
])('names a mistake: %s as %s', (from, to, mistake) => {
	expect(mistakesOf(from, to).join('\n')).toMatch(mistake);
});

test('a world needs a description to speak like its own API', () => {
	const read = () =>
		readWorld({ format: 'tollgate-world', version: 1, settings: { dialect: 'own' } }, { digest: String });
	expect(read).toThrow(/Describe your API in provider/i);
});
