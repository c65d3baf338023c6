import { storedText } from '#client/storage/web-storage.ts';
import { setHostStatus } from '#hosts/browser/host-status.svelte.ts';

/** Where a tab keeps the guided demo that runs in it. `static/guide.js` and `static/service.js` read it, which import nothing. */
export const guideKey = 'tollgate:guide';

/**
 * Loads the panel of the guided demo that runs in this tab, if one does. It is not part of the build, because pages of the service have it too.
 * @param base path of the app, without a trailing slash
 */
export function showGuide(base: string): void {
	if (storedText(guideKey, () => sessionStorage) === '') return;
	void import(/* @vite-ignore */ `${base}/guide.js`).catch(() => setHostStatus({ isPartMissing: true }));
}
