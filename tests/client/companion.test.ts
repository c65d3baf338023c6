import { describe, expect, test } from 'vitest';
import { outOfBand, pocketCompanion } from '#client/application.ts';
import { Client } from '#client/client.ts';
import { makeBinding } from '#client/sign-in/request.ts';
import { codeOf, sentences, wishes, Workbench } from './workbench.ts';

/** An installed client at the fake service, with a sign-in that has been started. */
async function started(chosen = wishes) {
	const bench = new Workbench();
	bench.service.client_secret = 'companion-secret';
	const client = new Client(bench.service.base_url, bench.surroundings('tab-1'), pocketCompanion(outOfBand));
	const binding = await makeBinding();
	const { address } = await client.depart(chosen, binding, null);
	const form = () => Object.fromEntries(bench.service.requests[0]?.form ?? []);
	return { bench, client, binding, query: new URL(address).searchParams, form };
}

describe('an installed application', () => {
	test('asks for offline access in the token request, not in the authorization request (section 2.1)', async () => {
		const { client, binding, query, form } = await started();
		expect(query.has('access_type')).toBe(false);
		expect(query.get('redirect_uri')).toBe('urn:ietf:wg:oauth:2.0:oob');
		const session = await client.arrive(new URLSearchParams({ code: 'code-1', state: binding.state }));
		expect(form()).toEqual({
			grant_type: 'authorization_code',
			code: 'code-1',
			client_id: 'pocket-companion',
			client_secret: 'companion-secret',
			redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
			code_verifier: binding.verifier,
			access_type: 'offline'
		});
		expect(session.refresh_token).not.toBeNull();
	});

	test('a code that a person brings is tied by PKCE alone, and nobody says that state was checked', async () => {
		const { client, binding, form } = await started();
		await client.arrive(new URLSearchParams({ code: 'code-1', state: binding.state }), 'person');
		expect(form()).toMatchObject({ code: 'code-1', code_verifier: binding.verifier });
		const said = sentences(client.journal.steps);
		expect(said).toContain(
			'noticed: No state comes with a code that a person brings: PKCE alone ties it to this sign-in'
		);
		expect(said.some((sentence) => sentence.startsWith('checked:'))).toBe(false);
	});

	test('without PKCE such a code is refused, and nothing is sent', async () => {
		const { bench, client, binding } = await started({ ...wishes, pkce: false });
		const brought = new URLSearchParams({ code: 'code-1', state: binding.state });
		expect(await codeOf(client.arrive(brought, 'person'))).toBe('unbound_code');
		expect(bench.service.requests).toHaveLength(0);
	});
});
