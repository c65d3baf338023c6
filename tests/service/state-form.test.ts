import * as v from 'valibot';
import { expect, test } from 'vitest';
import { trafficEntry } from '#api/control/traffic.ts';
import { decodeBase64 } from '#service/core/encoding.ts';
import { describeState } from '#api/state-form.ts';
import { createTestService } from './test-service.ts';

const base64url = (text: string) => Buffer.from(text).toString('base64url');
const random = 'q3VGJ1xkR0mZ8tYw5bNcL-2eUo9hSa_4DfPiX7KvT6E';

test.each([
	['12', 'decimal', 6],
	['1795255200000', 'decimal', 43],
	['deadbeef', 'hex', 32],
	['3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'uuid', 122],
	['xK9_aB', 'base64url', 36],
	[random, 'base64url', 256],
	['1'.repeat(43), 'decimal', 142],
	['a'.repeat(43), 'hex', 172],
	[`${base64url('{"alg":"HS256"}')}.${base64url('{"nonce":"n"}')}.${random}`, 'jwt', 256],
	[`${base64url('{"alg":"dir"}')}..${random}.${random}.${random}`, 'encrypted', 256],
	['{"next":"/me"}', 'json', 67],
	[base64url('{"next":"/me"}'), 'json', 113],
	[Buffer.from('[1]').toString('base64'), 'json', 22],
	['https://client.example/me', 'url', 120],
	['/profile', 'url', 38],
	['ada@client.example', 'email', 86],
	['a state', 'text', 33]
])('%s is %s with %d bits', (state, form, bits) => {
	expect(describeState(state, decodeBase64)).toEqual({ form, bits });
});

test('a state of 43 characters is never called guessable', () => {
	expect(describeState('/'.repeat(43), decodeBase64).bits).toBe(64);
});

test('only the authorization request says how its state looks', async () => {
	const at = await createTestService().sandbox();
	const state = 'xK9_aB-3';
	const page = await at.user().authorize(at.viewer, { state });
	const response = await at.user().allow(at.viewer, { state });
	const stateOf = async (id: string) =>
		v
			.parse(trafficEntry, (await at.controlled('GET', `traffic/${id}`)).json())
			.values.find(({ label }) => label === 'state 1');
	expect(await stateOf(page.id)).toMatchObject({ form: 'base64url' });
	expect(Object.keys((await stateOf(response.id)) ?? {})).toEqual(['label', 'preview', 'id']);
});

test('a state that was a code before is a credential', async () => {
	const at = await createTestService().sandbox();
	const code = await at.user().code();
	const page = await at.user('player-two').authorize(at.viewer, { state: code });
	const { values } = v.parse(trafficEntry, (await at.controlled('GET', `traffic/${page.id}`)).json());
	expect(values).toContainEqual(expect.objectContaining({ label: 'code 1', form: 'credential' }));
});
