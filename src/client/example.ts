import { handleCallback } from './oauth/authorization-response.ts';
import { startAuthorization } from './oauth/authorization-request.ts';
import { PendingAuthorizations } from './oauth/pending-authorizations.ts';
import { createProvider } from './oauth/provider.ts';
import { MemoryStore } from './oauth/atomic-store.ts';
import { TokenEndpoint } from './oauth/token-endpoint.ts';
import { TokenManager } from './oauth/token-manager.ts';
import { ResourceClient } from './rate-limit/resource-client.ts';

/** Signs a user in, refreshes the access token and reads a character. `visit` sends the user to a URL and returns the query of the callback. */
export async function example(baseUrl: string, visit: (url: URL) => Promise<URLSearchParams>) {
	const redirect_uri = `${baseUrl}/viewer/callback`;
	const client = { kind: 'web', client_id: 'character-viewer', client_secret: 'viewer-secret', redirect_uri } as const;
	const tokenEndpoint = new TokenEndpoint(createProvider(baseUrl), client);
	const pending = new PendingAuthorizations(new MemoryStore());
	const tokens = new TokenManager({ store: new MemoryStore(), tokenEndpoint });
	const resources = new ResourceClient({ baseUrl, tokens });

	const options = { scope: ['character_read'], access_type: 'offline' } as const;
	const url = await startAuthorization(tokenEndpoint.provider, client, options, pending);
	const tokenSet = await tokens.save(await handleCallback(await visit(url), pending, tokenEndpoint));
	const refreshed = await tokens.refresh(tokenSet.id, tokenSet.access_token);
	return resources.get('/ws/v2.0/character/Mara%20Vell', { tokenSetId: refreshed.id, waitForReset: true });
}
