/** What registration gave a client: who it is to the service (specification, section 5, rule 1). */
export type Application = {
	readonly name: string;
	/** An installed application cannot keep its secret, and has no `access_type` in its authorization request (2.1). */
	readonly kind: 'web' | 'installed';
	readonly client_id: string;
	/**
	 * A web-server application keeps this on its server. Tollgate's own client runs in the page, so its secret is a
	 * published demo credential and is treated as public: PKCE stands beside it.
	 */
	readonly client_secret: string;
	/** Must equal a registered value letter by letter (section 2.1). */
	readonly redirect_uri: string;
};

/**
 * The web application of the demo world, *Character Viewer*, at one service.
 * @param base_url of the service, without a trailing slash
 */
export function characterViewer(base_url: string): Application {
	return {
		name: 'Character Viewer',
		kind: 'web',
		client_id: 'character-viewer',
		client_secret: 'viewer-secret',
		redirect_uri: `${base_url}/viewer/callback`
	};
}

/** The redirect URI that makes the service show the code in a page, in its title and its body (section 3.2). */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/**
 * The installed application of the demo world, *Pocket Companion*. Its secret is in every copy of it, so it is none.
 * @param redirect_uri `outOfBand`, or `http://localhost` with the port it listens on (section 3.2)
 */
export function pocketCompanion(redirect_uri: string): Application {
	return {
		name: 'Pocket Companion',
		kind: 'installed',
		client_id: 'pocket-companion',
		client_secret: 'companion-secret',
		redirect_uri
	};
}
