/** A page that the navigation of the application and of the service link to. */
type Row = {
	readonly path: `/${string}`;
	readonly group: 'Product' | 'Demo clients' | 'Developer console' | 'Sandbox controls' | 'Help';
	/** Absent: the page has the name of a client of the world. */
	readonly label?: string;
	readonly client?: 'viewer' | 'companion';
	/** Keys pressed one after the other: `g v`. */
	readonly keys: string;
	/** The service renders it, so a link needs a full page load. */
	readonly isOfService?: true;
};

const rows = [
	{ path: '/', group: 'Product', label: 'Home', keys: 'g h' },
	{ path: '/learn', group: 'Product', label: 'Learn', keys: 'g l' },
	{ path: '/inspector', group: 'Product', label: 'Inspector', keys: 'g i' },
	{ path: '/request', group: 'Product', label: 'Request builder', keys: 'g q' },
	{ path: '/viewer', group: 'Demo clients', client: 'viewer', keys: 'g v' },
	{ path: '/companion', group: 'Demo clients', client: 'companion', keys: 'g p' },
	{ path: '/console', group: 'Developer console', label: 'Applications', keys: 'g a' },
	{ path: '/console/rate-limits', group: 'Developer console', label: 'Rate limits', keys: 'g r' },
	{ path: '/console/support', group: 'Developer console', label: 'Support', keys: 'g s' },
	{ path: '/account', group: 'Developer console', label: 'Account', keys: 'g u', isOfService: true },
	{ path: '/controls', group: 'Sandbox controls', label: 'Clock and limits', keys: 'g c' },
	{ path: '/controls/faults', group: 'Sandbox controls', label: 'Faults', keys: 'g f' },
	{ path: '/controls/credentials', group: 'Sandbox controls', label: 'Credentials', keys: 'g t' },
	{ path: '/controls/accounts', group: 'Sandbox controls', label: 'Accounts', keys: 'g o' },
	{ path: '/controls/test-cards', group: 'Sandbox controls', label: 'Test cards', keys: 'g e' },
	{ path: '/controls/sandboxes', group: 'Sandbox controls', label: 'Sandboxes', keys: 'g b' },
	{ path: '/docs', group: 'Help', label: 'Documentation', keys: 'g d' }
] as const satisfies readonly Row[];

/** The path of a page, below the base URL of a sandbox. */
export type SitePath = (typeof rows)[number]['path'];

/** All pages of the navigation, in its order. */
export const sitePages: readonly (Row & { readonly path: SitePath })[] = rows;

/** The parts of a world that name pages. */
type Named = { readonly name: string };
export type SiteNames = { readonly brand: Named; readonly viewer: Named; readonly companion?: Named | undefined };

/** A page with the name that it has in a world. */
export type SitePage = Pick<Row, 'keys' | 'isOfService'> & { readonly path: SitePath; readonly label: string };

/**
 * The pages by group, with their names in a world. The companion has a page if the world has an installed application.
 * @param names the world
 */
export function siteGroups(names: SiteNames): { readonly label: string; readonly pages: readonly SitePage[] }[] {
	return [...new Set(sitePages.map(({ group }) => group))].map((group) => ({
		label: group === 'Product' ? names.brand.name : group,
		pages: sitePages.flatMap(({ label, client, ...page }) => {
			const name = client === undefined ? label : names[client]?.name;
			return page.group !== group || name === undefined ? [] : [{ ...page, label: name }];
		})
	}));
}
