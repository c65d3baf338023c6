import type { ClientRegistration } from './oauth/client-registration.ts';

/**
 * *Character Viewer*, the web application of the demo data. A web application keeps its secret on a server. This one runs in
 * the page, so its secret is public, and it uses PKCE.
 * @param baseUrl of the service, without a trailing slash
 */
export function characterViewer(baseUrl: string): ClientRegistration {
	return {
		kind: 'web',
		client_id: 'character-viewer',
		client_secret: 'viewer-secret',
		redirect_uri: `${baseUrl}/viewer/callback`
	};
}

/**
 * *Pocket Companion*, the installed application of the demo data. Its secret is in every copy of it, so it is public.
 * @param redirect_uri `outOfBandUri`, or `http://localhost` with a port (section 3.2)
 */
export function pocketCompanion(redirect_uri: string): ClientRegistration {
	return { kind: 'installed', client_id: 'pocket-companion', client_secret: 'companion-secret', redirect_uri };
}
