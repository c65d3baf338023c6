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
	/** One word, for the bottom bar. */
	readonly short: string;
	readonly href: string;
	readonly icon: Component<{ 'aria-hidden'?: 'true' }>;
	/** Keys pressed one after the other: `g v`. */
	readonly keys: string;
	/** The service renders this page itself, so the link needs a full page load. */
	readonly reload: boolean;
};
export type NavigationGroup = { readonly label: string; readonly items: readonly NavigationItem[] };

/**
 * The pages that the sidebar, the bottom bar and the palette link to.
 * @param home prefix of every link (`AppLocation.home`)
 */
export function navigation(home: string): NavigationGroup[] {
	return [
		{
			label: 'Tollgate',
			items: [{ label: 'Home', short: 'Home', href: `${home}/`, icon: House, keys: 'g h', reload: false }]
		},
		{
			label: 'Demo clients',
			items: [
				{
					label: 'Character Viewer',
					short: 'Viewer',
					href: `${home}/viewer`,
					icon: IdCard,
					keys: 'g v',
					reload: false
				},
				{
					label: 'Pocket Companion',
					short: 'Companion',
					href: `${home}/companion`,
					icon: Smartphone,
					keys: 'g p',
					reload: false
				}
			]
		},
		{
			label: 'Service',
			items: [
				{
					label: 'Applications',
					short: 'Apps',
					href: `${home}/applications`,
					icon: KeyRound,
					keys: 'g a',
					reload: true
				},
				{ label: 'Account', short: 'Account', href: `${home}/account`, icon: CircleUser, keys: 'g u', reload: true },
				{ label: 'Support', short: 'Support', href: `${home}/support`, icon: LifeBuoy, keys: 'g s', reload: true }
			]
		},
		{
			label: 'Help',
			items: [
				{
					label: 'Documentation',
					short: 'Docs',
					href: `${home}/docs`,
					icon: BookOpen,
					keys: 'g d',
					reload: false
				}
			]
		}
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
