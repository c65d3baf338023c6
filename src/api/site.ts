/** Pages that the navigation shows as one line until one of them is open. */
export type SiteGroup = 'Try it' | 'Developer console' | 'Sandbox controls';

/** A page that the navigation links to. */
type Row = {
	readonly path: `/${string}`;
	/** Absent: the page has its own line. */
	readonly group?: SiteGroup;
	/** Absent: the page has the name of a client of the world. */
	readonly label?: string;
	readonly client?: 'viewer' | 'companion';
	/** Keys pressed one after the other: `g v`. */
	readonly keys: string;
	/** The service renders it, so a link needs a full page load. */
	readonly isOfService?: true;
};

const rows = [
	{ path: '/', label: 'Home', keys: 'g h' },
	{ path: '/learn', label: 'Learn', keys: 'g l' },
	{ path: '/guide', group: 'Try it', label: 'Guided demo', keys: 'g m' },
	{ path: '/viewer', group: 'Try it', client: 'viewer', keys: 'g v' },
	{ path: '/companion', group: 'Try it', client: 'companion', keys: 'g p' },
	{ path: '/request', group: 'Try it', label: 'Request builder', keys: 'g q' },
	{ path: '/exam', group: 'Try it', label: 'Exam', keys: 'g x' },
	{ path: '/studio', group: 'Try it', label: 'World studio', keys: 'g w' },
	{ path: '/inspector', label: 'Inspector', keys: 'g i' },
	{ path: '/console', group: 'Developer console', label: 'Applications', keys: 'g a' },
	{ path: '/console/rate-limits', group: 'Developer console', label: 'Rate limits', keys: 'g r' },
	{ path: '/standards', group: 'Developer console', label: 'Standards', keys: 'g n' },
	{ path: '/console/support', group: 'Developer console', label: 'Support', keys: 'g s' },
	{ path: '/account', group: 'Developer console', label: 'Account', keys: 'g u', isOfService: true },
	{ path: '/controls', group: 'Sandbox controls', label: 'Clock and limits', keys: 'g c' },
	{ path: '/controls/faults', group: 'Sandbox controls', label: 'Faults', keys: 'g f' },
	{ path: '/controls/credentials', group: 'Sandbox controls', label: 'Credentials', keys: 'g t' },
	{ path: '/controls/accounts', group: 'Sandbox controls', label: 'Accounts', keys: 'g o' },
	{ path: '/controls/test-cards', group: 'Sandbox controls', label: 'Test cards', keys: 'g e' },
	{ path: '/controls/sandboxes', group: 'Sandbox controls', label: 'Sandboxes', keys: 'g b' },
	{ path: '/docs', label: 'Documentation', keys: 'g d' }
] as const satisfies readonly Row[];

/** The path of a page, below the base URL of a sandbox. */
export type SitePath = (typeof rows)[number]['path'];

/** All pages of the navigation, in its order. */
export const sitePages: readonly (Row & { readonly path: SitePath })[] = rows;

/** The parts of the site that a world can leave out: the first segments of the paths of pages. */
export const siteAreas: readonly string[] = [...new Set(rows.map(({ path }) => areaOf(path)))].filter(
	(area) => area !== '' && area !== 'account'
);

function areaOf(path: string): string {
	return path.split('/')[1] ?? '';
}

/** The parts of a world that name pages. */
type Named = { readonly name: string };
export type SiteNames = {
	readonly viewer: Named;
	readonly companion?: Named | undefined;
	/** The areas that the world shows. Absent: all. */
	readonly show?: readonly string[] | undefined;
};

/**
 * Whether a world has links to a page. A world hides links only: the page itself stays.
 * @param path below the base URL of a sandbox
 */
export function showsPage({ show, companion }: Omit<SiteNames, 'viewer'>, path: string): boolean {
	const area = areaOf(path);
	if (area === 'companion' && companion === undefined) return false;
	return show === undefined || !siteAreas.includes(area) || show.includes(area);
}

/** A page with the name that it has in a world. */
export type SitePage = Pick<Row, 'group' | 'keys' | 'isOfService'> & {
	readonly path: SitePath;
	readonly label: string;
};

/**
 * The pages that a world shows, with their names in it. The companion has a page if the world has an installed application.
 * @param names the world
 */
export function namedPages(names: SiteNames): SitePage[] {
	return sitePages.flatMap(({ label, client, ...page }) => {
		const name = client === undefined ? label : names[client]?.name;
		return name === undefined || !showsPage(names, page.path) ? [] : [{ ...page, label: name }];
	});
}
