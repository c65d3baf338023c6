import { headerValues } from '#wire/headers.ts';
import type { Call } from '../context.ts';
import { base64url } from '../encoding.ts';
import { rootSandbox, type Session } from '../records.ts';

/** How long somebody stays signed in, in milliseconds of the real clock. */
const sessionLifetime = 12 * 60 * 60 * 1000;
/** How many former cookies of a browser are remembered, for its other tabs. */
const mostFormer = 8;

/** A browser, known by its cookie. The cookie's value is never stored, only its digest. */
export type Browser = {
	/** Digest of the cookie; undefined where none was sent. */
	readonly id: string | undefined;
	/** Who is signed in there. */
	readonly session: Session | undefined;
};

/** The browser that makes this call, and who is signed in there. */
export async function findBrowser(call: Call): Promise<Browser> {
	const cookie = cookieOf(call, cookieName(call, 'session'));
	if (cookie === undefined) return { id: undefined, session: undefined };
	const id = call.options.digest(call.secret(cookie));
	const session = await call.sandbox.area.get('session', id);
	const account = session && (await call.sandbox.area.get('account', session.username));
	if (account !== undefined) call.username = account.username;
	return { id, session: account === undefined ? undefined : session };
}

/** The browser's id; one that came without a cookie is given one. */
export function recogniseLater(call: Call, browser: Browser): string {
	return browser.id ?? setCookie(call, call.sandbox.id, 'session');
}

/** Whether something was begun in this browser: under its cookie, or under one that it had before signing in. */
export function isSameBrowser(browser: Browser, id: string): boolean {
	return browser.id === id || browser.session?.before.includes(id) === true;
}

/** Signs a person in. The cookie changes, so that one set by somebody else is worth nothing (ASVS 7.2.4). */
export async function signIn(call: Call, browser: Browser, username: string): Promise<void> {
	const before = [...(browser.id === undefined ? [] : [browser.id]), ...(browser.session?.before ?? [])].slice(
		0,
		mostFormer
	);
	const id = setCookie(call, call.sandbox.id, 'session');
	const expires = call.options.now() + sessionLifetime;
	await call.sandbox.area.update('session', id, () => ({ username, before, expires }));
	if (browser.id !== undefined) await call.sandbox.area.delete('session', browser.id);
	call.username = username;
}

/** The proof that a form was made by us for this browser: nobody without its cookie can work it out. */
export function proofFor(call: Call, browserId: string): string {
	return call.secret(call.options.digest(`proof ${browserId}`));
}

/** Ends the session at the service; the cookie is worth nothing from then on. */
export async function signOut(call: Call, browser: Browser): Promise<void> {
	if (browser.id !== undefined) await call.sandbox.area.delete('session', browser.id);
	call.headers.push('Set-Cookie', `${cookieName(call, 'session')}=; ${attributes}; Max-Age=0`);
}

/** Sets a cookie to a new random value, or to one given, and returns the digest of that. */
export function setCookie(
	call: Call,
	sandbox: string,
	purpose: 'session' | 'owner',
	value = base64url(call.options.random(32))
): string {
	call.headers.push('Set-Cookie', `${cookieName(call, purpose, sandbox)}=${call.secret(value)}; ${attributes}`);
	return call.options.digest(value);
}

/** The value of a cookie of this sandbox; undefined where absent or sent twice. */
export function cookieOf(call: Call, name: string): string | undefined {
	const found = headerValues(call.request.headers, 'cookie')
		.flatMap((header) => header.split(';'))
		.map((pair) => pair.trim())
		.filter((pair) => pair.startsWith(`${name}=`))
		.map((pair) => pair.slice(name.length + 1));
	return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}

/** The name of a cookie of this sandbox: `__Host-` needs `Path=/`, so the name keeps sandboxes apart. */
export function cookieName(call: Call, purpose: 'session' | 'owner', id = call.sandbox.id): string {
	const suffix = id === rootSandbox ? '' : `-${call.options.digest(id).slice(0, 10)}`;
	return `__Host-tollgate-${purpose}${suffix}`;
}

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';
