import { setupServer } from 'msw/node';
import { afterAll, expect, it } from 'vitest';
import { exampleProvider } from '#features/providers/example-provider.ts';
import { handlers } from '#hosts/library/msw.ts';
import { createService } from '#hosts/library/tollgate.ts';

const provider = { format: 'tollgate-world', version: 1, provider: exampleProvider };
let stop: (() => void) | undefined;
afterAll(() => stop?.());

it('responds at the real URLs of the API that a world file describes', async () => {
	const service = createService({ world: provider });
	const server = setupServer(...handlers(service, { as: 'own' }));
	server.listen({ onUnhandledRequest: 'error' });
	stop = () => server.close();
	const response = await fetch('https://login.bank.example/oauth/token', {
		method: 'POST',
		body: new URLSearchParams({
			...{ grant_type: 'authorization_code', code: 'unknown', redirect_uri: `${service.origin}/viewer/callback` },
			...{ client_id: 'character-viewer', client_secret: 'viewer-secret' }
		})
	});
	expect(response.status).toBe(422);
	expect(await response.json()).toMatchObject({ code: 'invalid_grant' });
	expect((await fetch('https://api.bank.example/v1/me')).status).toBe(401);
});
