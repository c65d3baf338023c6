import type { Component } from 'svelte';
import BookOpen from '@lucide/svelte/icons/book-open';
import CircleUser from '@lucide/svelte/icons/circle-user';
import House from '@lucide/svelte/icons/house';
import IdCard from '@lucide/svelte/icons/id-card';
import KeyRound from '@lucide/svelte/icons/key-round';
import LifeBuoy from '@lucide/svelte/icons/life-buoy';
import Smartphone from '@lucide/svelte/icons/smartphone';

export type NavigationItem = {
	readonly label: string;
	readonly href: string;
	readonly icon: Component<{ 'aria-hidden'?: 'true' }>;
	/** Keys pressed one after the other: `g v`. */
	readonly keys: string;
	/** The service renders this page itself, so the link needs a full page load. */
	readonly reload: boolean;
};
export type NavigationGroup = { readonly label: string; readonly items: readonly NavigationItem[] };

/**
 * The pages that the sidebar and the palette link to.
 * @param home prefix of every link (`AppLocation.home`)
 */
export function navigation(home: string): NavigationGroup[] {
	const page = (label: string, path: string, icon: NavigationItem['icon'], keys: string) => ({
		label,
		icon,
		keys,
		href: home + path,
		reload: false
	});
	return [
		{ label: 'Tollgate', items: [page('Home', '/', House, 'g h')] },
		{
			label: 'Demo clients',
			items: [
				page('Character Viewer', '/viewer', IdCard, 'g v'),
				page('Pocket Companion', '/companion', Smartphone, 'g p')
			]
		},
		{
			label: 'Service',
			items: [
				page('Applications', '/applications', KeyRound, 'g a'),
				page('Account', '/account', CircleUser, 'g u'),
				page('Support', '/support', LifeBuoy, 'g s')
			].map((item) => ({ ...item, reload: true }))
		},
		{ label: 'Help', items: [page('Documentation', '/docs', BookOpen, 'g d')] }
	];
}

/**
 * Whether a link leads to the open page or to a page above it.
 * @param item the link
 * @param path path of the open page
 * @param home prefix of every link (`AppLocation.home`)
 */
export function isCurrent(item: NavigationItem, path: string, home: string): boolean {
	if (item.href === `${home}/`) return path === item.href || path === home;
	return path === item.href || path.startsWith(`${item.href}/`);
}
