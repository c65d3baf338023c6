import { sitePages, type SitePath } from '#api/site.ts';

/** A place that search finds. */
export type SearchEntry = {
	/** `Specification`, `Error codes`: the kind of place. */
	readonly group: string;
	readonly title: string;
	/** More words that find it. */
	readonly words?: string;
	readonly href: string;
	/** The service renders this page itself, so the link needs a full page load. */
	readonly reload?: boolean;
};

/** Loads what search finds. `home` is `AppLocation.home`, and `nameOf` returns what the page at a path is called. */
export type SearchLoader = (
	home: string,
	nameOf: (path: string) => string | undefined
) => Promise<readonly SearchEntry[]>;

/** What users can do on each page, by its path. */
const actions = {
	'/account': ['Revoke access of an application', 'Sign out of the service'],
	'/console': ['Register an application', 'Rotate a client secret', 'Test a redirect URI'],
	'/console/support': ['File a support ticket', 'Unblock this address'],
	'/console/rate-limits': ['Show the limits of this address'],
	'/controls': ['Move the clock', 'Change limits', 'Change lifetimes', 'Change the address of this browser'],
	'/controls/faults': ['Add a fault', 'Make requests fail'],
	'/controls/credentials': ['Revoke a code or token'],
	'/controls/accounts': ['Create an account', 'Delete an account'],
	'/controls/sandboxes': [
		'Create a sandbox',
		'Rename this sandbox',
		'Reset this sandbox',
		'Delete this sandbox',
		'Save a snapshot',
		'Create a preset link',
		'Copy owner link'
	],
	'/inspector': ['Export traffic as HAR', 'Clear the traffic log', 'Replay a token'],
	'/request': ['Send a request with a mistake', 'Add PKCE to a request'],
	'/viewer': ['Start a load test'],
	'/learn/progress': ['Export progress', 'Import progress'],
	'/learn/certificate': ['Print a certificate'],
	'/learn/notes': ['Instructor’s notes']
} satisfies Partial<Record<SitePath | `${SitePath}/${string}`, readonly string[]>>;

/**
 * The actions of all pages, for search.
 * @param home `AppLocation.home`
 * @param nameOf what the page at a path is called
 */
export function pageActions(home: string, nameOf: (path: string) => string | undefined): SearchEntry[] {
	return Object.entries(actions).flatMap(([path, titles]) =>
		titles.map((title) => ({
			group: nameOf(path) ?? 'Learn',
			title,
			href: home + path,
			...(sitePages.some((page) => page.path === path && page.isOfService) ? { reload: true } : {})
		}))
	);
}
