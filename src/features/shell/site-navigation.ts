import type { Component } from 'svelte';
import AppWindow from 'icon:app-window';
import BookOpen from 'icon:book-open';
import Boxes from 'icon:boxes';
import CircleUser from 'icon:circle-user';
import ClipboardCheck from 'icon:clipboard-check';
import Clock from 'icon:clock';
import CodeXml from 'icon:code-xml';
import FlaskConical from 'icon:flask-conical';
import Gauge from 'icon:gauge';
import GitCompareArrows from 'icon:git-compare-arrows';
import GraduationCap from 'icon:graduation-cap';
import House from 'icon:house';
import IdCard from 'icon:id-card';
import KeyRound from 'icon:key-round';
import LifeBuoy from 'icon:life-buoy';
import MonitorPlay from 'icon:monitor-play';
import Palette from 'icon:palette';
import Send from 'icon:send';
import SlidersHorizontal from 'icon:sliders-horizontal';
import Smartphone from 'icon:smartphone';
import ScanSearch from 'icon:scan-search';
import Ticket from 'icon:ticket';
import Users from 'icon:users';
import Zap from 'icon:zap';
import { namedPages, sitePages, type SiteGroup, type SiteNames, type SitePage, type SitePath } from '#api/site.ts';

export type NavigationItem = SitePage & { readonly href: string; readonly icon: Icon };
/** A line that shows its pages when it is open. */
export type NavigationGroup = {
	readonly label: SiteGroup;
	readonly icon: Icon;
	readonly items: readonly NavigationItem[];
};
type Icon = Component<{ 'aria-hidden'?: 'true' }>;

const icons: Readonly<Record<SitePath, Icon>> = {
	'/': House,
	'/learn': GraduationCap,
	'/inspector': ScanSearch,
	'/request': Send,
	'/exam': ClipboardCheck,
	'/standards': GitCompareArrows,
	'/guide': MonitorPlay,
	'/viewer': IdCard,
	'/companion': Smartphone,
	'/console': KeyRound,
	'/console/rate-limits': Gauge,
	'/console/support': LifeBuoy,
	'/account': CircleUser,
	'/controls': Clock,
	'/controls/faults': Zap,
	'/controls/credentials': Ticket,
	'/controls/accounts': Users,
	'/controls/test-cards': FlaskConical,
	'/controls/sandboxes': Boxes,
	'/studio': Palette,
	'/docs': BookOpen
};

const groupIcons: Readonly<Record<SiteGroup, Icon>> = {
	'Try it': AppWindow,
	'Developer console': CodeXml,
	'Sandbox controls': SlidersHorizontal
};

/**
 * The pages that the sidebar and the palette link to.
 * @param home prefix of every link (`AppLocation.home`)
 * @param names the world
 */
export function navigationItems(home: string, names: SiteNames): NavigationItem[] {
	return namedPages(names).map((page) => ({ ...page, href: home + page.path, icon: icons[page.path] }));
}

/**
 * The lines of the sidebar: pages, and groups of pages. The home page has none, because the mark links to it.
 * @param items all pages
 */
export function navigationLines(items: readonly NavigationItem[]): (NavigationItem | NavigationGroup)[] {
	return items.flatMap((item, index): (NavigationItem | NavigationGroup)[] => {
		const { group, path } = item;
		if (group === undefined) return path === '/' ? [] : [item];
		if (items[index - 1]?.group === group) return [];
		return [{ label: group, icon: groupIcons[group], items: items.filter((other) => other.group === group) }];
	});
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
