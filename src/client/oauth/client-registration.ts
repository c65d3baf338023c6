/** What the service issued when the client was registered (section 5, rule 1). */
export type ClientRegistration = {
	/** `installed`: a mobile or desktop application, which cannot keep its secret (section 1). */
	readonly kind: 'web' | 'installed';
	readonly client_id: string;
	/** A web server application keeps it on its server. The service also requires it from installed applications (section 2.3). */
	readonly client_secret: string;
	/** Must equal a registered value exactly (section 2.1). */
	readonly redirect_uri: string;
};

/** `online`: while the user is present. `offline`: the client also gets a refresh token (section 1). */
export type AccessType = 'online' | 'offline';

/** Redirect URI of an installed application: the service shows the code in the title and body of a page (section 3.2). */
export const outOfBandUri = 'urn:ietf:wg:oauth:2.0:oob';
