import type { Component } from 'svelte';
import BookOpen from '@lucide/svelte/icons/book-open';
import Boxes from '@lucide/svelte/icons/boxes';
import CircleUser from '@lucide/svelte/icons/circle-user';
import Clock from '@lucide/svelte/icons/clock';
import FlaskConical from '@lucide/svelte/icons/flask-conical';
import Gauge from '@lucide/svelte/icons/gauge';
import GraduationCap from '@lucide/svelte/icons/graduation-cap';
import House from '@lucide/svelte/icons/house';
import IdCard from '@lucide/svelte/icons/id-card';
import KeyRound from '@lucide/svelte/icons/key-round';
import LifeBuoy from '@lucide/svelte/icons/life-buoy';
import Send from '@lucide/svelte/icons/send';
import Smartphone from '@lucide/svelte/icons/smartphone';
import ScanSearch from '@lucide/svelte/icons/scan-search';
import Ticket from '@lucide/svelte/icons/ticket';
import Users from '@lucide/svelte/icons/users';
import Zap from '@lucide/svelte/icons/zap';

export type NavigationItem = {
	readonly label: string;
	readonly href: string;
	readonly icon: Component<{ 'aria-hidden'?: 'true' }>;
	/** Keys pressed one after the other: `g v`. */
	readonly keys: string;
	/** The service renders this page itself, so the link needs a full page load. */
	readonly reload: boolean;
};
/** What a world calls the pages. */
export type PageNames = {
	readonly brand: string;
	readonly viewer: string;
	/** Undefined: the world has no installed application. */
	readonly companion: string | undefined;
};
export type NavigationGroup = { readonly label: string; readonly items: readonly NavigationItem[] };

const demoNames: PageNames = { brand: 'Tollgate', viewer: 'Character Viewer', companion: 'Pocket Companion' };

/**
 * The pages that the sidebar and the palette link to.
 * @param home prefix of every link (`AppLocation.home`)
 * @param names those of the demo world by default
 */
export function navigation(home: string, names: PageNames = demoNames): NavigationGroup[] {
	const page = (label: string, path: string, icon: NavigationItem['icon'], keys: string) => ({
		label,
		icon,
		keys,
		href: home + path,
		reload: false
	});
	return [
		{
			label: names.brand,
			items: [
				page('Home', '/', House, 'g h'),
				page('Learn', '/learn', GraduationCap, 'g l'),
				page('Inspector', '/inspector', ScanSearch, 'g i'),
				page('Request builder', '/request', Send, 'g q')
			]
		},
		{
			label: 'Demo clients',
			items: [
				page(names.viewer, '/viewer', IdCard, 'g v'),
				...(names.companion === undefined ? [] : [page(names.companion, '/companion', Smartphone, 'g p')])
			]
		},
		{
			label: 'Developer console',
			items: [
				page('Applications', '/console', KeyRound, 'g a'),
				page('Rate limits', '/console/rate-limits', Gauge, 'g r'),
				page('Support', '/console/support', LifeBuoy, 'g s'),
				{ ...page('Account', '/account', CircleUser, 'g u'), reload: true }
			]
		},
		{
			label: 'Sandbox controls',
			items: [
				page('Clock and limits', '/controls', Clock, 'g c'),
				page('Faults', '/controls/faults', Zap, 'g f'),
				page('Credentials', '/controls/credentials', Ticket, 'g t'),
				page('Accounts', '/controls/accounts', Users, 'g o'),
				page('Test cards', '/controls/test-cards', FlaskConical, 'g e'),
				page('Sandboxes', '/controls/sandboxes', Boxes, 'g b')
			]
		},
		{ label: 'Help', items: [page('Documentation', '/docs', BookOpen, 'g d')] }
	];
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
	const others = navigation(home).flatMap(({ items }) => items.map(({ href }) => href));
	return isAbove(item.href) && !others.some((href) => href.length > item.href.length && isAbove(href));
}
