import * as v from 'valibot';
import { expect, test } from 'vitest';
import { keepResponse } from '#features/request-builder/authorization-return.ts';
import { builderLink, kindOptions } from '#features/request-builder/builder-link.ts';
import { sends, valueOf } from '#features/request-builder/draft.ts';
import { mistakesOf } from '#features/request-builder/mistakes/mistakes.ts';
import { choose, edit, Tab } from './builder-tab.ts';

test('builds a code exchange, a refresh and a call from the response to its authorization request', async () => {
	const tab = new Tab();
	const builder = await tab.open();
	edit(builder, 'access_type', 'offline');
	await builder.addPkce();
	const code = await tab.authorize(builder);
	expect(builder.returned?.get('code')).toBe(code);
	expect(builder.kind).toBe('exchange');
	expect(builder.result?.entry?.response).toMatchObject({ status: 303 });
	expect(JSON.stringify(builder.result?.entry?.response?.headers)).toContain('?code=');
	await builder.send();
	expect(builder.result?.entry?.trace.at(-1)?.id).toBe('token.code_exchanged');
	builder.choose('refresh');
	await builder.send();
	expect(builder.result?.responses.at(-1)?.status).toBe(200);
	builder.choose('character');
	await builder.send();
	expect(JSON.parse(builder.result?.responses.at(-1)?.body ?? '')).toMatchObject({ name: 'Mara Vell' });
	builder.choose('revoke');
	await builder.send();
	expect(builder.result?.entry?.trace.at(-1)?.id).toBe('revoke.grant_revoked');
});

test('builds the requests of today’s standards in a sandbox of that dialect', async () => {
	const tab = new Tab();
	await tab.service.control('PATCH', '/control/settings', { dialect: 'standard' });
	const builder = await tab.open();
	expect(sends(builder.drafts.authorization, 'code_challenge')).toBe(true);
	await tab.authorize(builder);
	await builder.send();
	builder.choose('character');
	expect(valueOf(builder.drafts.character, 'Authorization')).toMatch(/^Bearer \S/);
	await builder.send();
	expect(builder.result?.responses.at(-1)?.status).toBe(200);
	builder.choose('revoke');
	await builder.send();
	expect(builder.result?.entry?.trace.at(-1)?.id).toBe('revoke.grant_revoked');
	expect(builder.result?.entry?.request.method).toBe('POST');
	expect(mistakesOf('revoke', 'standard')).toEqual([]);
});

test('offers the grants of the dialect only, and puts the token of each into the other requests', async () => {
	const tab = new Tab();
	await tab.service.control('PATCH', '/control/settings', { dialect: 'standard' });
	const builder = await tab.open();
	expect(kindOptions(builder.world, 'specification').map(({ value }) => value)).not.toContain('client_credentials');
	expect(kindOptions(builder.world, 'standard').map(({ value }) => value)).toContain('client_credentials');
	builder.choose('client_credentials');
	await builder.send();
	expect(builder.result?.entry?.trace.at(-1)?.id).toBe('token.issued_to_client');
	builder.choose('character');
	await builder.send();
	expect(builder.result?.responses.at(-1)?.status).toBe(200);

	builder.choose('client_credentials');
	builder.save();
	await tab.service.control('PATCH', '/control/settings', { dialect: 'specification' });
	expect((await tab.open()).kind).toBe('authorization');
});

test('keeps the parameters while the user is away, but no secret, and no verifier after the response', async () => {
	const tab = new Tab();
	const first = await tab.open();
	edit(first, 'scope', 'character_read location_read');
	await first.addPkce();
	const verifier = valueOf(first.drafts.exchange, 'code_verifier');
	first.leave('/request');
	expect(tab.content).not.toContain('viewer-secret');
	const second = await tab.open();
	expect(valueOf(second.drafts.authorization, 'scope')).toBe('character_read location_read');
	expect(valueOf(second.drafts.exchange, 'client_secret')).toBe('viewer-secret');
	expect(valueOf(second.drafts.exchange, 'code_verifier')).toBe(verifier);
	const code = await tab.authorize(second);
	await second.send();
	second.save();
	const { access_token } = v.parse(
		v.looseObject({ access_token: v.string() }),
		JSON.parse(second.result?.responses[0]?.body ?? '')
	);
	for (const secret of [code, verifier, access_token]) expect(tab.content).not.toContain(secret);
});

test('opens with the request and the mistake of a link, and chooses the mistake again for the code that arrives', async () => {
	const tab = new Tab();
	const { search } = new URL(builderLink({ kind: 'exchange', mistake: 'code_twice' }), tab.service.baseUrl);
	const builder = await tab.open(false, search);
	expect([builder.kind, builder.mistake?.id]).toEqual(['exchange', 'code_twice']);
	builder.choose('authorization');
	await tab.authorize(builder);
	expect([builder.kind, builder.mistake?.id]).toEqual(['exchange', 'code_twice']);
	await builder.send();
	expect(builder.result?.entry?.trace.at(-1)?.id).toBe('token.code_not_used');
	builder.choose('refresh');
	builder.save();
	const again = await tab.open(false, search);
	expect([again.kind, again.mistake]).toEqual(['refresh', undefined]);
});

test.each([
	['?kind=exchange&mistake=unknown', 'exchange'],
	['?kind=other&mistake=code_twice', 'authorization'],
	['?mistake=code_twice', 'authorization']
])('a link with %s opens a correct request', async (search, kind) => {
	const builder = await new Tab().open(false, search);
	expect([builder.kind, builder.mistake]).toEqual([kind, undefined]);
});

test('has an open PKCE pair from the request until an exchange, over a reload too', async () => {
	const tab = new Tab();
	const first = await tab.open(true);
	await first.addPkce();
	expect(first.isPairOpen).toBe(false);
	first.leave('/request');
	const verifier = valueOf(first.drafts.exchange, 'code_verifier');
	const second = await tab.open(true);
	expect([second.isPairOpen, valueOf(second.drafts.exchange, 'code_verifier')]).toEqual([true, verifier]);
	second.choose('exchange');
	await second.send();
	second.save();
	expect([second.isPairOpen, (await tab.open(true)).isPairOpen]).toEqual([false, false]);
});

test('makes a new PKCE pair for a second authorization request', async () => {
	const tab = new Tab();
	const first = await tab.open();
	await first.addPkce();
	await tab.authorize(first);
	await first.send();
	const challenge = valueOf(first.drafts.authorization, 'code_challenge');
	first.save();
	for (const builder of [first, await tab.open()]) {
		builder.choose('authorization');
		await tab.authorize(builder);
		expect(valueOf(builder.drafts.authorization, 'code_challenge')).not.toBe(challenge);
		await builder.send();
		expect(builder.result?.entry?.trace.at(-1)?.id).toBe('token.code_exchanged');
	}
});

test('takes a response only with the state that was sent', async () => {
	const tab = new Tab();
	const builder = await tab.open();
	const url = new URL(builder.leave('/request?x'));
	const response = (state: string) => new URLSearchParams({ code: 'a code', state });
	expect(keepResponse(tab.storage, tab.service.baseUrl, response('forged'))).toBeUndefined();
	expect(
		keepResponse(tab.storage, 'https://other.test', response(url.searchParams.get('state') ?? ''))
	).toBeUndefined();
	expect(keepResponse(tab.storage, tab.service.baseUrl, response(url.searchParams.get('state') ?? ''))).toBe(
		'/request?x'
	);
	await builder.resume(); // takes it, for the tests that follow
});

test('takes a response to a lesson once, also after the page was loaded again', async () => {
	const [lesson, other] = [new Tab(), new Tab()];
	const builder = await lesson.open();
	const state = new URL(builder.leave('/~a/learn/whole-trip')).searchParams.get('state') ?? '';
	keepResponse(lesson.storage, lesson.service.baseUrl, new URLSearchParams({ code: 'a code', state }));
	// The memory of the page is gone.
	await other.authorize(await other.open());
	const again = await lesson.open();
	expect(again.returned?.get('code')).toBe('a code');
	expect((await lesson.open()).returned).toBeUndefined();
});

test('judges a rejected authorization request after the user came back', async () => {
	const tab = new Tab();
	const builder = await tab.open();
	choose(builder, 'authorization', 'redirect_case');
	await tab.service.fetch(builder.leave('/request'));
	const again = await tab.open();
	expect(again.mistake?.id).toBe('redirect_case');
	expect(again.result?.entry?.trace.at(-1)).toMatchObject({ id: again.result?.expected?.check, outcome: 'failed' });
});

test('takes a mistake back without losing what was changed elsewhere', async () => {
	const builder = await new Tab().open();
	const correct = builder.draft;
	choose(builder, 'authorization', 'missing_state');
	edit(builder, 'scope', 'location_read');
	expect(builder.mistake?.id).toBe('missing_state');
	builder.mistake = undefined;
	expect(valueOf(builder.draft, 'state')).toBe(valueOf(correct, 'state'));
	expect(sends(builder.draft, 'state')).toBe(true);
	expect(valueOf(builder.draft, 'scope')).toBe('location_read');
	choose(builder, 'authorization', 'unknown_scope');
	edit(builder, 'scope', 'email');
	expect(builder.mistake).toBeUndefined();
	expect(valueOf(builder.draft, 'scope')).toBe('email');
});

test('sends a code twice for the mistake, and shows the trace of the second request', async () => {
	const tab = new Tab();
	const builder = await tab.open();
	await tab.authorize(builder);
	choose(builder, 'exchange', 'code_twice');
	await builder.send();
	expect(builder.result?.responses.map(({ status }) => status)).toEqual([200, 400]);
	expect(builder.result?.entry?.trace.at(-1)?.cause).toBe('already_used');
});

test('works without access to the sandbox, apart from the trace', async () => {
	const tab = new Tab();
	tab.isOwner = false;
	const builder = await tab.open();
	expect(builder.sandbox.applications.map(({ client_id }) => client_id)).toEqual([
		'character-viewer',
		'pocket-companion'
	]);
	builder.choose('ratelimits');
	await builder.send();
	expect(builder.result).toMatchObject({ entry: undefined, problem: 'No access.', responses: [{ status: 401 }] });
});

test.each([
	['abc-123', 'abc-123'],
	[' abc-123\n', 'abc-123'],
	['Success,code=abc-123', 'abc-123'],
	['http://localhost:8765/?state=x&code=abc-123', 'abc-123'],
	['http://localhost:8765/?code=a%2Bb%252F%26c%3D&state=x', 'a+b%2F&c=']
])('finds the code in %j', async (pasted, code) => {
	const builder = await new Tab().open();
	builder.choose('exchange');
	edit(builder, 'code', pasted);
	expect(valueOf(builder.draft, 'code')).toBe(code);
});

test('pushes a request, opens it, and exchanges the code, with a key that the tab keeps', async () => {
	const tab = new Tab();
	await tab.service.control('PATCH', '/control/settings', { dialect: 'standard' });
	const builder = await tab.open();
	await builder.registerKey();
	expect(tab.content).toContain('"client":{"kty":"EC"');
	builder.choose('pushed');
	await builder.send();
	expect(builder.result?.responses.at(-1)?.status).toBe(201);
	builder.choose('authorization');
	const sent = builder.draft.parameters.filter(({ isOn }) => isOn).map(({ name }) => name);
	expect(sent).toEqual(['client_id', 'request_uri']);
	await tab.authorize(builder);
	expect(sends(builder.drafts.authorization, 'request_uri')).toBe(false);
	expect(sends(builder.drafts.authorization, 'code_challenge')).toBe(true);
	await builder.send();
	expect(builder.result?.entry?.trace.at(-1)?.id).toBe('token.code_exchanged');
});

test('asks for device codes, and polls with them', async () => {
	const tab = new Tab();
	await tab.service.control('PATCH', '/control/settings', { dialect: 'standard' });
	const builder = await tab.open();
	builder.choose('device_authorization');
	await builder.send();
	builder.choose('device_poll');
	await builder.send();
	expect(builder.result?.entry?.trace.at(-1)?.cause).toBe('undecided');
});

test('a token of the application itself names who acts in an exchange, and is never the subject', async () => {
	const tab = new Tab();
	await tab.service.control('PATCH', '/control/settings', { dialect: 'standard' });
	const builder = await tab.open();
	builder.choose('client_credentials');
	await builder.send();
	const { drafts } = builder;
	expect(valueOf(drafts.token_exchange, 'actor_token')).toMatch(/^\S{20,}$/);
	expect(valueOf(drafts.token_exchange, 'subject_token')).toBe('');
});
