import { beforeEach, expect, test } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { DraftEditor } from '#features/request-builder/draft-editor.svelte.ts';
import { sends, valueOf } from '#features/request-builder/draft.ts';
import { mistakesOf } from '#features/request-builder/mistakes/mistakes.ts';
import { readSandbox } from '#features/request-builder/application.ts';
import { TestService } from '../../client/test-service.ts';

let editor: DraftEditor;

beforeEach(async () => {
	const service = new TestService();
	const world = await service.world();
	editor = new DraftEditor(service.baseUrl, world);
	editor.sandbox = await readSandbox(new ControlApi(service.baseUrl, service.fetchByOwner), world);
	editor.client_id = editor.application.client_id;
	editor.drafts = await editor.newDrafts('192.0.2.7');
});

/** The value of a parameter of the shown request; undefined where it is not sent. */
const sent = (name: string) => (sends(editor.draft, name) ? valueOf(editor.draft, name) : undefined);
const indexOf = (name: string) => editor.draft.parameters.findIndex((one) => one.name === name);

test('another application changes its id, its secret and its redirect URI in all requests', () => {
	editor.chooseApplication('pocket-companion');
	expect([editor.application.kind, sent('client_id'), sent('access_type')]).toEqual([
		'installed',
		'pocket-companion',
		undefined
	]);
	editor.choose('exchange');
	const { client_secret, redirect_uris } = editor.application;
	expect([sent('client_id'), sent('client_secret'), sent('redirect_uri')]).toEqual([
		'pocket-companion',
		client_secret,
		redirect_uris[0] ?? ''
	]);
	expect(editor.context.other.client_id).toBe('character-viewer');
});

test('a request of today’s standards names no kind of access, for each application', async () => {
	editor.sandbox = { ...editor.sandbox, dialect: 'standard' };
	editor.drafts = await editor.newDrafts('');
	for (const client_id of ['character-viewer', 'pocket-companion', 'character-viewer']) {
		editor.chooseApplication(client_id);
		expect(sent('access_type'), client_id).toBeUndefined();
	}
});

test('all requests but the authorization request, which is a navigation, send the address', () => {
	for (const kind of ['authorization', 'exchange', 'refresh', 'character', 'ratelimits', 'revoke'] as const) {
		editor.choose(kind);
		expect(sent('X-Tollgate-Address'), kind).toBe(kind === 'authorization' ? undefined : '192.0.2.7');
	}
});

test('new requests send no parameter that is optional in them', async () => {
	editor.choose('refresh');
	expect(sent('scope')).toBeUndefined();
	editor.choose('exchange');
	expect([sent('code_verifier'), sent('access_type')]).toEqual([undefined, undefined]);
});

test('a value for the shown request leaves the other requests unchanged', () => {
	editor.setShown({ access_type: 'offline', scope: 'location_read' });
	expect([sent('access_type'), sent('scope')]).toEqual(['offline', 'location_read']);
	editor.choose('exchange');
	expect(sent('access_type')).toBeUndefined();
	editor.choose('refresh');
	expect(sent('scope')).toBeUndefined();
});

test('another kind of request is shown without the mistake', () => {
	editor.mistake = mistakesOf('authorization', 'specification').find(({ id }) => id === 'missing_state');
	expect(sent('state')).toBeUndefined();
	editor.choose('character');
	expect([editor.mistake, editor.kind]).toEqual([undefined, 'character']);
});

test('a new state replaces the old one', async () => {
	const before = sent('state');
	await editor.newState();
	expect(sent('state')).not.toBe(before);
	expect(sent('state')).not.toBe('');
});

test('an emptied challenge gets a new pair, whose verifier is in the code exchange', async () => {
	await editor.addPkce();
	const verifier = valueOf(editor.drafts.exchange, 'code_verifier');
	editor.edit(indexOf('code_challenge'), { value: '', isOn: true });
	await expect.poll(() => valueOf(editor.drafts.exchange, 'code_verifier')).not.toBe(verifier);
	expect(sent('code_challenge')).not.toBe('');
});

test('an added parameter is in the query of a GET request, and in the form of a POST request', () => {
	for (const [kind, place] of [
		['ratelimits', 'query'],
		['refresh', 'form']
	] as const) {
		editor.choose(kind);
		editor.addParameter();
		expect(editor.draft.parameters.at(-1)).toMatchObject({ in: place, name: '', value: '' });
	}
});

test('has no drafts before they are made', () => {
	const empty = new DraftEditor(editor.baseUrl, editor.world);
	expect(empty.isReady).toBe(false);
	expect(() => empty.drafts).toThrow('start() has not finished.');
});

test('in the dialect of today’s standards, documents of the sandbox are clients without a secret', async () => {
	const service = new TestService();
	const api = new ControlApi(service.baseUrl, service.fetchByOwner);
	await api.request('PATCH /control/settings', { body: { dialect: 'standard' } });
	const { applications } = await readSandbox(api, await service.world());
	expect(applications.at(-1)).toEqual({
		client_id: `${service.baseUrl}/ws/oauth2/clients/example`,
		name: 'Document example',
		kind: 'installed',
		redirect_uris: [`${service.baseUrl}/viewer/callback`, 'http://127.0.0.1/callback'],
		client_secret: ''
	});
});

test('a visitor without the key reads the status only, so nothing is in the log of the owner', async () => {
	const service = new TestService();
	const read: string[] = [];
	const api = new ControlApi(service.baseUrl, (url) => {
		read.push(url.slice(service.baseUrl.length));
		return Promise.resolve(Response.json({ can_control: false, dialect: 'standard' }));
	});
	const sandbox = await readSandbox(api, await service.world());
	expect(sandbox).toMatchObject({ dialect: 'standard', isStrict: true });
	expect(sandbox.applications.length).toBeGreaterThan(0);
	expect(read).toEqual(['/control/status']);
});
