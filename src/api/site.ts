import { isServicePath } from './service-path.ts';

/** What a user wants: a line of the navigation that shows its pages when it is open. */
export type SiteDoor = 'Learn' | 'Connect your client' | 'Teach or demo';

/** A part of the menu of the sandbox. */
export type SiteMenuPart = 'Settings' | 'Service pages' | 'Sandboxes';

/** A page that the navigation or the menu of the sandbox links to. */
type Row = {
	readonly path: `/${string}`;
	/** Absent: the page has its own line. */
	readonly group?: SiteDoor | SiteMenuPart;
	/** Absent: the page has the name of a client of the world. */
	readonly label?: string;
	readonly client?: 'viewer' | 'companion';
	/** Keys pressed one after the other: `g v`. */
	readonly keys: string;
	/** More words that find it. */
	readonly words?: string;
	/** The service renders it, so a link needs a full page load. */
	readonly isOfService?: true;
	/** Only the root sandbox has it. */
	readonly isOfRoot?: true;
};

const learn = 'Learn';
const connect = 'Connect your client';
const teach = 'Teach or demo';
const settings = 'Settings';
const service = 'Service pages';
const rows = [
	{ path: '/', label: 'Home', keys: 'g h' },
	{ path: '/learn', group: learn, label: 'Lessons', keys: 'g l' },
	{ path: '/write', group: learn, label: 'Write', keys: 'g z', words: 'editor exercises', isOfRoot: true },
	{ path: '/labs', group: learn, label: 'Labs', keys: 'g k', words: 'attack', isOfRoot: true },
	{ path: '/viewer', group: learn, client: 'viewer', keys: 'g v', words: 'try it' },
	{ path: '/companion', group: learn, client: 'companion', keys: 'g p', words: 'try it' },
	{ path: '/limits', group: learn, label: 'Rate limit lab', keys: 'g g' },
	{ path: '/console', group: connect, label: 'Applications', keys: 'g a', words: 'developer console' },
	{ path: '/request', group: connect, label: 'Request builder', keys: 'g q', words: 'try it' },
	{ path: '/exam', group: connect, label: 'Exam', keys: 'g x', words: 'try it examine' },
	{ path: '/agents', group: connect, label: 'Agents', keys: 'g y', words: 'mcp model context protocol' },
	{ path: '/providers', group: connect, label: 'Providers', keys: 'g n', words: 'standards developer console' },
	{ path: '/guide', group: teach, label: 'Guided demo', keys: 'g m', words: 'try it' },
	{ path: '/class', group: teach, label: 'Class', keys: 'g j', words: 'workshop', isOfRoot: true },
	{ path: '/studio', group: teach, label: 'World studio', keys: 'g w', words: 'try it brand' },
	{ path: '/inspector', label: 'Inspector', keys: 'g i' },
	{ path: '/docs', label: 'Documentation', keys: 'g d' },
	{ path: '/controls', group: settings, label: 'Clock and limits', keys: 'g c', words: 'sandbox controls' },
	{ path: '/controls/faults', group: settings, label: 'Faults', keys: 'g f', words: 'sandbox controls' },
	{ path: '/controls/credentials', group: settings, label: 'Credentials', keys: 'g t', words: 'sandbox controls' },
	{ path: '/controls/accounts', group: settings, label: 'Accounts', keys: 'g o', words: 'sandbox controls' },
	{ path: '/controls/test-cards', group: settings, label: 'Test cards', keys: 'g e', words: 'sandbox controls' },
	{ path: '/account', group: service, label: 'Account', keys: 'g u', words: 'developer console', isOfService: true },
	{ path: '/console/rate-limits', group: service, label: 'Rate limits', keys: 'g r', words: 'developer console' },
	{ path: '/console/support', group: service, label: 'Support', keys: 'g s', words: 'developer console' },
	{ path: '/controls/sandboxes', group: 'Sandboxes', label: 'All sandboxes', keys: 'g b', words: 'sandbox controls' }
] as const satisfies readonly Row[];

/** The path of a page, below the base URL of a sandbox. */
export type SitePath = (typeof rows)[number]['path'];

/** The path of a page in the menu of the sandbox. */
export type MenuPath = Extract<(typeof rows)[number], { readonly group: SiteMenuPart }>['path'];

/** All pages of the navigation, in its order. */
export const sitePages: readonly (Row & { readonly path: SitePath })[] = rows;

/** The parts of the site that a world can leave out: the first segments of the paths of pages. */
export const siteAreas: readonly string[] = [...new Set(rows.map(({ path }) => areaOf(path)))].filter(
	(area) => area !== '' && area !== 'account'
);

/** What a part of the site is called in no world: its first page, or the menu that has it. @param area of `siteAreas` */
export function areaLabel(area: string): string {
	const { client, group, label } = sitePages.find(({ path }) => areaOf(path) === area) ?? {};
	if (client !== undefined) return client === 'viewer' ? 'Web application' : 'Installed application';
	return (group === settings ? group : label) ?? area;
}

function areaOf(path: string): string {
	return path.split(/[/?]/)[1] ?? '';
}

/** Pages that only others link to. */
const otherPages = [
	...['/embed/demo', '/embed/moment', '/guide/presenter', '/join', '/learn/certificate', '/learn/notes', '/preset'],
	...['/learn/page-with-image', '/learn/progress', '/moment', '/pause', '/share', '/viewer/callback'],
	...['/console/application', '/console/documents', '/standards']
];
const knownPages: ReadonlySet<string> = new Set([...rows.map(({ path }): string => path), ...otherPages]);
/** Each has one page for each lesson, exercise, lab, document or class. */
const pageOfItem =
	/^\/(?:(?:class|docs|join|labs|learn|write|embed\/lesson)\/[\w.%-]+|class\/[\w-]+\/(?:handout|wall)|docs\/providers\/[\w-]+)$/;

/**
 * Whether the site or the service has a page at a path.
 * @param path below the base URL of a sandbox, with query and fragment
 */
export function isKnownPage(path: string): boolean {
	const page = path.replace(/[?#].*$/s, '').replace(/(.)\/$/, '$1');
	return knownPages.has(page) || pageOfItem.test(page) || isServicePath(page);
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
export type SitePage = Pick<Row, 'group' | 'keys' | 'words' | 'isOfService' | 'isOfRoot'> & {
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
