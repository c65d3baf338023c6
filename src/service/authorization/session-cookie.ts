import { headerValues } from '#wire/headers.ts';
import type { Context } from '../context.ts';
import { base64url } from '../encoding.ts';
import { rootSandbox, type BrowserSession } from '../records.ts';

/** How long somebody stays signed in, in milliseconds of the real clock. */
const sessionLifetime = 12 * 60 * 60 * 1000;
/** How many former cookies of a browser are remembered, for its other tabs. */
const maxPreviousIds = 8;

/** A browser, known by its cookie. The cookie's value is never stored, only its digest. */
export type Browser = {
	/** Digest of the cookie; undefined where none was sent. */
	readonly id: string | undefined;
	/** Who is signed in there. */
	readonly session: BrowserSession | undefined;
};

/** The browser that makes this call, and who is signed in there. */
export async function findBrowser(context: Context): Promise<Browser> {
	const cookie = readCookie(context, cookieName(context, 'session'));
	if (cookie === undefined) return { id: undefined, session: undefined };
	const id = context.options.digest(context.redact(cookie));
	const session = await context.sandbox.store.get('browser_session', id);
	const account = session && (await context.sandbox.store.get('account', session.username));
	if (account !== undefined) context.username = account.username;
	return { id, session: account === undefined ? undefined : session };
}

/** The browser's id; one that came without a cookie is given one. */
export function ensureCookie(context: Context, browser: Browser): string {
	return browser.id ?? setCookie(context, context.sandbox.id, 'session');
}

/** Whether something was begun in this browser: under its cookie, or under one that it had before signing in. */
export function matchesBrowser(browser: Browser, id: string): boolean {
	return browser.id === id || browser.session?.previousIds.includes(id) === true;
}

/** Signs a person in. The cookie changes, so that one set by somebody else is worth nothing (ASVS 7.2.4). */
export async function signIn(context: Context, browser: Browser, username: string): Promise<void> {
	const previousIds = [
		...(browser.id === undefined ? [] : [browser.id]),
		...(browser.session?.previousIds ?? [])
	].slice(0, maxPreviousIds);
	const id = setCookie(context, context.sandbox.id, 'session');
	const expires = context.options.now() + sessionLifetime;
	await context.sandbox.store.update('browser_session', id, () => ({ username, previousIds, expires }));
	if (browser.id !== undefined) await context.sandbox.store.delete('browser_session', browser.id);
	context.username = username;
}

/** The proof that a form was made by us for this browser: nobody without its cookie can work it out. */
export function csrfTokenFor(context: Context, browserId: string): string {
	return context.redact(context.options.digest(`csrf ${browserId}`));
}

/** Ends the session at the service; the cookie is worth nothing from then on. */
export async function signOut(context: Context, browser: Browser): Promise<void> {
	if (browser.id !== undefined) await context.sandbox.store.delete('browser_session', browser.id);
	context.headers.push('Set-Cookie', `${cookieName(context, 'session')}=; ${attributes}; Max-Age=0`);
}

/** Sets a cookie to a new random value, or to one given, and returns the digest of that. */
export function setCookie(
	context: Context,
	sandbox: string,
	purpose: 'session' | 'owner',
	value = base64url(context.options.random(32))
): string {
	context.headers.push(
		'Set-Cookie',
		`${cookieName(context, purpose, sandbox)}=${context.redact(value)}; ${attributes}`
	);
	return context.options.digest(value);
}

/** The value of a cookie of this sandbox; undefined where absent or sent twice. */
export function readCookie(context: Context, name: string): string | undefined {
	const found = headerValues(context.request.headers, 'cookie')
		.flatMap((header) => header.split(';'))
		.map((pair) => pair.trim())
		.filter((pair) => pair.startsWith(`${name}=`))
		.map((pair) => pair.slice(name.length + 1));
	return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}

/** The name of a cookie of this sandbox: `__Host-` needs `Path=/`, so the name keeps sandboxes apart. */
export function cookieName(context: Context, purpose: 'session' | 'owner', id = context.sandbox.id): string {
	const suffix = id === rootSandbox ? '' : `-${context.options.digest(id).slice(0, 10)}`;
	return `__Host-tollgate-${purpose}${suffix}`;
}

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';
