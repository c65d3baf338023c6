import type { Component } from 'svelte';
import CircleUser from '@lucide/svelte/icons/circle-user';
import House from '@lucide/svelte/icons/house';
import IdCard from '@lucide/svelte/icons/id-card';
import KeyRound from '@lucide/svelte/icons/key-round';
import LifeBuoy from '@lucide/svelte/icons/life-buoy';
import Palette from '@lucide/svelte/icons/palette';
import Smartphone from '@lucide/svelte/icons/smartphone';

export type NavigationItem = {
	readonly label: string;
	/** Where the bottom bar has room for one word. */
	readonly short: string;
	readonly href: string;
	readonly icon: Component<{ 'aria-hidden'?: 'true' }>;
	/** Pressed one after the other: `g v`. */
	readonly keys: string;
	/** A page that the service renders itself: a link leaves the application. */
	readonly reload: boolean;
};
export type NavigationGroup = { readonly label: string; readonly items: readonly NavigationItem[] };

/**
 * Everything one can go to.
 * @param home what each link begins with (`Place.home`)
 * @param development adds the style guide, which exists only there
 */
export function navigation(home: string, development: boolean): NavigationGroup[] {
	const groups: NavigationGroup[] = [
		{
			label: 'Walk',
			items: [
				{ label: 'Start', short: 'Start', href: `${home}/`, icon: House, keys: 'g h', reload: false },
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
					short: 'Pocket',
					href: `${home}/companion`,
					icon: Smartphone,
					keys: 'g p',
					reload: false
				}
			]
		},
		{
			label: 'The service',
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
		}
	];
	if (development) {
		const guide = {
			label: 'Style guide',
			short: 'Styles',
			href: `${home}/styleguide`,
			icon: Palette,
			keys: 'g y',
			reload: false
		};
		groups.push({ label: 'Development', items: [guide] });
	}
	return groups;
}

/**
 * Whether an entry is the page that is open, or the one above it.
 * @param item the entry
 * @param path the open page's path
 * @param home `Place.home`
 */
export function isCurrent(item: NavigationItem, path: string, home: string): boolean {
	if (item.href === `${home}/`) return path === item.href || path === home;
	return path === item.href || path.startsWith(`${item.href}/`);
}
