import * as v from 'valibot';
import { expect, it, test } from 'vitest';
import { createTestService } from './test-service.ts';

const realm = '/as/keycloak/realms/team';
const real = ['X-Forwarded-Host', 'my.keycloak.org'];

test.each([
	['none', 'https://my.keycloak.org/realms/realm'],
	['iss_wrong', 'https://issuer.example'],
	['iss_slash', 'https://my.keycloak.org/realms/realm/'],
	['iss_missing', null]
])('a provider that names its issuer has the fault %s', async (agent_fault, iss) => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ agent_fault });
	const { client_id, redirect_uri } = at.viewer;
	const query = new URLSearchParams({
		response_type: 'code',
		client_id,
		redirect_uri,
		scope: 'openid',
		state: 's'
	}).toString();
	const body = JSON.stringify({ username: 'player-one', query, provider: 'keycloak' });
	const headers = [...real, 'Content-Type', 'application/json', 'X-Tollgate-Key', at.key];
	const response = await at.send({ method: 'POST', target: '/control/authorizations', headers, body });
	const { location } = response.as(v.object({ location: v.string() }));
	expect(new URL(location).searchParams.get('iss')).toBe(iss);
});

it('has metadata of another issuer as a fault', async () => {
	const at = await createTestService().sandbox();
	const issuer = async () => (await at.get(`${realm}/.well-known/openid-configuration`, ...real)).json();
	expect(await issuer()).toMatchObject({ issuer: 'https://my.keycloak.org/realms/team' });
	await at.changeSettings({ agent_fault: 'metadata_issuer' });
	expect(await issuer()).not.toMatchObject({ issuer: 'https://my.keycloak.org/realms/team' });
});
