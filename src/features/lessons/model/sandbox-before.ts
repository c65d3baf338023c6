const keyOf = (base: string) => `tollgate-sandbox-before-lessons${base}`;

/**
 * Remembers the sandbox that this tab shows, for the end of a lesson.
 * @param base path that the app is served from
 * @param home `AppLocation.home` of a sandbox that is not that of a lesson
 * @param page path of the open page below it. Links to lessons lead to the root sandbox, so their pages do not count
 */
export function rememberSandbox(base: string, home: string, page: string): void {
	if (/^\/learn(?:\/|$)/.test(page)) return;
	try {
		sessionStorage.setItem(keyOf(base), home);
	} catch {
		// Storage is blocked: lessons are left for the root sandbox.
	}
}

/** `AppLocation.home` of the sandbox that this tab showed before a lesson; undefined where none is known. */
export function sandboxBefore(base: string): string | undefined {
	try {
		return sessionStorage.getItem(keyOf(base)) ?? undefined;
	} catch {
		return undefined;
	}
}
