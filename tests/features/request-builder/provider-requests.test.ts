import { expect, test } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { kindOptions } from '#features/request-builder/builder-link.ts';
import type { RequestBuilder } from '#features/request-builder/request-builder.svelte.ts';
import { keepResponse } from '#features/request-builder/authorization-return.ts';
import { valueOf } from '#features/request-builder/draft.ts';
import { Tab } from './builder-tab.ts';

const speak = async (tab: Tab, dialect: string) =>
	new ControlApi(tab.service.baseUrl, (url, init) => tab.service.fetchByOwner(url, init)).request(
		'PATCH /control/settings',
		{ body: { dialect } }
	);
const offered = ({ world, sandbox, recordKind }: RequestBuilder) =>
	kindOptions(world, sandbox.dialect, recordKind, sandbox.provider);

test('builds the requests of the provider that a sandbox speaks like, and no others', async () => {
	const tab = new Tab();
	await speak(tab, 'github');
	const builder = await tab.open();
	expect(offered(builder)).toEqual([
		{ value: 'authorization', label: 'Authorization' },
		{ value: 'exchange', label: 'Code exchange' },
		{ value: 'character', label: 'API' }
	]);
	expect(builder.draft.path).toBe('/as/github/login/oauth/authorize');
	// GitHub accepts a deeper path, and ignores scopes that it does not know.
	expect(builder.offered('authorization').map(({ id }) => id)).not.toContain('redirect_slash');
	expect(builder.offered('authorization').map(({ id }) => id)).not.toContain('unknown_scope');
	await tab.authorize(builder);
	expect(builder.kind).toBe('exchange');
	await builder.send();
	expect(builder.result?.entry?.request.target).toBe('/as/github/login/oauth/access_token');
	expect(builder.result?.entry?.response?.body).toContain('"scope":"read:user,user:email"');
	builder.choose('character');
	await builder.send();
	// A browser has a User-Agent. What sends requests here has none.
	expect(builder.result?.entry?.request.target).toBe('/as/github/user');
	expect(builder.result?.entry?.trace.find(({ outcome }) => outcome === 'failed')?.id).toBe('provider.user_agent_sent');
});

test('builds the requests of the service again after the sandbox speaks the specification', async () => {
	const tab = new Tab();
	await speak(tab, 'google');
	const google = await tab.open();
	expect(google.draft.path).toBe('/as/google/o/oauth2/v2/auth');
	expect(offered(google).map(({ value }) => value)).toEqual(['authorization', 'exchange', 'refresh', 'character']);
	google.save();
	await speak(tab, 'specification');
	const builder = await tab.open();
	expect(builder.draft.path).toBe('/ws/oauth2/auth/');
	expect(builder.drafts.character.path).toBe('/ws/v2.0/character/{character_name}');
	expect(offered(builder)).toContainEqual({ value: 'character', label: 'Character' });
});

test('a lesson keeps its requests, and the code of a sign-in, when it lets the sandbox speak like a provider', async () => {
	const tab = new Tab();
	await speak(tab, 'standard');
	const before = await tab.open(true);
	before.save();
	await speak(tab, 'github');
	const response = await tab.service.approve(new URL(before.leave('/learn/same-client')));
	keepResponse(tab.storage, tab.service.baseUrl, response);
	const after = await tab.open(true);
	expect(after.kind).toBe('exchange');
	expect(valueOf(after.draft, 'code')).toBe(response.get('code'));
	after.save();
	await speak(tab, 'slack');
	const reloaded = await tab.open(true);
	expect([reloaded.draft.path, valueOf(reloaded.draft, 'code')]).toEqual(['/ws/oauth2/token/', response.get('code')]);
});
