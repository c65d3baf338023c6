import { storedText, storeText } from '#client/storage/web-storage.ts';

const keyOf = (base: string) => `tollgate-sandbox-before-lessons${base}`;

/**
 * Remembers the sandbox that this tab shows, for the end of a lesson.
 * @param base path that the app is served from
 * @param home `AppLocation.home` of a sandbox that is not that of a lesson
 * @param page path of the open page below it. Links to lessons lead to the root sandbox, so their pages do not count
 */
export function rememberSandbox(base: string, home: string, page: string): void {
	if (/^\/learn(?:\/|$)/.test(page)) return;
	storeText(keyOf(base), home, () => sessionStorage);
}

/** `AppLocation.home` of the sandbox that this tab showed before a lesson; undefined where none is known. */
export function sandboxBefore(base: string): string | undefined {
	return storedText(keyOf(base), () => sessionStorage) || undefined;
}
