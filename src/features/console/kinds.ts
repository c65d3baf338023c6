/** The kinds of application, as the user chooses and sees them. */
export const kinds = {
	web: { label: 'Web server application', hint: 'Runs on your server, which can keep the secret.' },
	installed: { label: 'Installed application', hint: 'Runs on a phone or a computer, where it cannot keep a secret.' }
} as const;

/** The kinds, for a choice. */
export const kindOptions = (['web', 'installed'] as const).map((value) => ({ value, ...kinds[value] }));

/** The redirect URIs of every installed application (specification, section 3.2). */
export const installedRedirectUris = ['urn:ietf:wg:oauth:2.0:oob', 'http://localhost'] as const;

/**
 * The page of an application.
 * @param home prefix of every link
 */
export function applicationHref(home: string, client_id: string, tab?: string): string {
	const query = new URLSearchParams({ client_id, ...(tab === undefined ? {} : { tab }) });
	return `${home}/console/application?${query.toString()}`;
}
