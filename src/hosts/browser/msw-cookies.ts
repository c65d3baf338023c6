// Replaces tough-cookie in the service worker. MSW's own cookie store needs `localStorage`, which workers lack, and a list of
// public suffixes of 298 kB. The service has its own cookie jar (cookie-jar.ts).

if (!('localStorage' in globalThis)) Reflect.set(globalThis, 'localStorage', {});

export const Cookie = {};

export class MemoryCookieStore {
	idx = {};
}

export class CookieJar {
	getCookiesSync(): string[] {
		return [];
	}
}
