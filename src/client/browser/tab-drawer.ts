import type { Drawer } from '../drawer.ts';

/**
 * A drawer in the session storage of this tab: what is written there while the page goes is there for the next one, while a
 * writing to IndexedDB may be given up with the page.
 * @param owner whose it is: nobody sees what another has stored
 */
export function tabDrawer(owner: string): Drawer {
	return {
		read: () => {
			try {
				const found: unknown = JSON.parse(sessionStorage.getItem(owner) ?? 'null');
				return found ?? undefined;
			} catch {
				return undefined; // refused or damaged
			}
		},
		write: (value) => {
			try {
				sessionStorage.setItem(owner, JSON.stringify(value));
			} catch {
				// Refused or full: without storage the page still works.
			}
		},
		beforeLeaving: (work) => {
			addEventListener('pagehide', work);
			// A page that is out of sight may be ended without another word.
			document.addEventListener('visibilitychange', () => {
				if (document.hidden) work();
			});
		}
	};
}
