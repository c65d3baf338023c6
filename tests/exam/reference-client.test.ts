import { expect, it } from 'vitest';
import { createHostlessService } from '../conformance/hosts/direct.ts';
import { signInAtService } from '../client/sign-in-at-service.js';
import { fetchOf } from './in-process.ts';
import { ReferenceClient } from './reference-client.ts';

const service = createHostlessService();
const send = fetchOf(service.handle);

/** Signs player-one in. Returns the cookie of the browser and where it arrived. */
async function signIn(client: ReferenceClient): Promise<{ cookie: string | undefined; location: string | undefined }> {
	const { cookie, location = '' } = await client.handle({ target: '/login' });
	const { callback } = await signInAtService((url, init) => send(url, init), new URL(location));
	const response = await client.handle({ target: `/callback${callback?.search ?? ''}`, cookie });
	return { cookie, location: response.location };
}

const newClient = () =>
	new ReferenceClient({
		baseUrl: service.origin,
		clientId: 'character-viewer',
		clientSecret: 'viewer-secret',
		redirectUri: `${service.origin}/viewer/callback`,
		fetch: send
	});

it('signs a user in, reads a character once in a minute, and signs the user out', async () => {
	const client = newClient();
	const { cookie, location } = await signIn(client);
	expect(location).toBe('/');
	for (let count = 0; count < 2; count += 1) {
		const page = await client.handle({ target: '/me?name=100%25%20Orc', cookie });
		expect(page.body).toContain('"name":"100% Orc"');
	}
	await client.handle({ target: '/logout', cookie });
	expect((await client.handle({ target: '/me', cookie })).status).toBe(401);
});

it('rejects a response to another sign-in', async () => {
	const client = newClient();
	const { cookie } = await client.handle({ target: '/login' });
	expect((await client.handle({ target: '/callback?code=c&state=s', cookie })).status).toBe(400);
});
