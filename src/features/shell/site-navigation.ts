import type { Component } from 'svelte';
import AppWindow from '@lucide/svelte/icons/app-window';
import BookOpen from '@lucide/svelte/icons/book-open';
import Boxes from '@lucide/svelte/icons/boxes';
import CircleUser from '@lucide/svelte/icons/circle-user';
import ClipboardCheck from '@lucide/svelte/icons/clipboard-check';
import Clock from '@lucide/svelte/icons/clock';
import CodeXml from '@lucide/svelte/icons/code-xml';
import FlaskConical from '@lucide/svelte/icons/flask-conical';
import Gauge from '@lucide/svelte/icons/gauge';
import GitCompareArrows from '@lucide/svelte/icons/git-compare-arrows';
import GraduationCap from '@lucide/svelte/icons/graduation-cap';
import House from '@lucide/svelte/icons/house';
import IdCard from '@lucide/svelte/icons/id-card';
import KeyRound from '@lucide/svelte/icons/key-round';
import LifeBuoy from '@lucide/svelte/icons/life-buoy';
import MonitorPlay from '@lucide/svelte/icons/monitor-play';
import Palette from '@lucide/svelte/icons/palette';
import Send from '@lucide/svelte/icons/send';
import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal';
import Smartphone from '@lucide/svelte/icons/smartphone';
import ScanSearch from '@lucide/svelte/icons/scan-search';
import Ticket from '@lucide/svelte/icons/ticket';
import Users from '@lucide/svelte/icons/users';
import Zap from '@lucide/svelte/icons/zap';
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
