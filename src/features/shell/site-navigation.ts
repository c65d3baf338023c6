import type { Component } from 'svelte';
import Activity from 'icon:activity';
import Bot from 'icon:bot';
import BookCheck from 'icon:book-check';
import BookOpen from 'icon:book-open';
import ClipboardCheck from 'icon:clipboard-check';
import FlaskConical from 'icon:flask-conical';
import GitCompareArrows from 'icon:git-compare-arrows';
import GraduationCap from 'icon:graduation-cap';
import IdCard from 'icon:id-card';
import KeyRound from 'icon:key-round';
import MonitorPlay from 'icon:monitor-play';
import Palette from 'icon:palette';
import Plug from 'icon:plug';
import Presentation from 'icon:presentation';
import Send from 'icon:send';
import Smartphone from 'icon:smartphone';
import ScanSearch from 'icon:scan-search';
import SquarePen from 'icon:square-pen';
import Users from 'icon:users';
import {
	namedPages,
	sitePages,
	type MenuPath,
	type SiteDoor,
	type SiteMenuPart,
	type SiteNames,
	type SitePage,
	type SitePath
} from '#api/site.ts';

export type NavigationItem = SitePage & { readonly href: string };
/** A line that shows its pages when it is open. */
export type NavigationDoor = {
	readonly label: SiteDoor;
	readonly icon: Icon;
	readonly items: readonly NavigationItem[];
};
export type Icon = Component<{ 'aria-hidden'?: 'true' }>;

/** The icons of the pages in the sidebar. */
export const sidebarIcons: Readonly<Partial<Record<SitePath, Icon>>> = {
	'/learn': BookCheck,
	'/write': SquarePen,
	'/labs': FlaskConical,
	'/inspector': ScanSearch,
	'/request': Send,
	'/exam': ClipboardCheck,
	'/agents': Bot,
	'/providers': GitCompareArrows,
	'/guide': MonitorPlay,
	'/viewer': IdCard,
	'/companion': Smartphone,
	'/limits': Activity,
	'/console': KeyRound,
	'/class': Users,
	'/studio': Palette,
	'/docs': BookOpen
} satisfies Record<Exclude<SitePath, MenuPath | '/'>, Icon>;

const doorIcons: Readonly<Record<SiteDoor, Icon>> = {
	Learn: GraduationCap,
	'Connect your client': Plug,
	'Teach or demo': Presentation
};

/**
 * The pages that the sidebar, the menu of the sandbox and the palette link to.
 * @param home prefix of every link (`AppLocation.home`)
 * @param names the world
 * @param base prefix of links to pages that only the root sandbox has (`PageContext.base`)
 */
export function navigationItems(home: string, names: SiteNames, base = home): NavigationItem[] {
	return namedPages(names).map((page) => ({
		...page,
		href: (page.isOfRoot ? base : home) + page.path
	}));
}

/** The lines of the sidebar that open: those with pages. */
export function navigationDoors(items: readonly NavigationItem[]): NavigationDoor[] {
	return groupsOf(items, ['Learn', 'Connect your client', 'Teach or demo'] as const)
		.filter((door) => door.items.length > 0)
		.map((door) => ({ ...door, icon: doorIcons[door.label] }));
}

/** The pages with lines of their own. The home page has none, because the mark links to it. */
export function navigationLinks(items: readonly NavigationItem[]): NavigationItem[] {
	return items.filter(({ group, path }) => group === undefined && path !== '/');
}

/** The parts of the menu of the sandbox. A world can have no page of some. */
export function menuParts(items: readonly NavigationItem[]): { label: SiteMenuPart; items: NavigationItem[] }[] {
	return groupsOf(items, ['Settings', 'Service pages', 'Sandboxes'] as const);
}

function groupsOf<T extends SiteDoor | SiteMenuPart>(items: readonly NavigationItem[], labels: readonly T[]) {
	return labels.map((label) => ({ label, items: items.filter(({ group }) => group === label) }));
}

/**
 * Whether a link points to the open page, or is the closest link to a page above it.
 * @param item the link
 * @param path path of the open page
 * @param home prefix of every link (`AppLocation.home`)
 */
export function isCurrent(item: NavigationItem, path: string, home: string): boolean {
	if (item.href === `${home}/`) return path === item.href || path === home;
	const isAbove = (href: string) => path === href || path.startsWith(`${href}/`);
	const others = sitePages.map((page) => home + page.path);
	return isAbove(item.href) && !others.some((href) => href.length > item.href.length && isAbove(href));
}
