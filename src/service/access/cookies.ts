import { headerValues } from '#api/headers.ts';
import { Context } from '../core/context.ts';
import { findAccount } from '../sandbox/test-cards.ts';
import { base64url, timingSafeEqual } from '../core/encoding.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { BrowserSession } from '../sandbox/records.ts';
import { rootSandbox } from '../core/target.ts';
import { ProtocolError } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import { check, type Check } from '../core/runner.ts';
import { formUrlOf } from '../provider/provider-urls.ts';

/** How long a user stays signed in, in milliseconds of the real clock. */
const sessionLifetime = 12 * 60 * 60 * 1000;
/** How many previous cookies of a browser are remembered, so that its other tabs can finish. */
const maxPreviousIds = 8;

/** The browser that sent a request. Only the digest of its cookie is stored. */
export type Browser = {
	/** Digest of the cookie; undefined where none was sent. */
	readonly id: string | undefined;
	/** Undefined where no user is signed in. */
	readonly session: BrowserSession | undefined;
};

/** Finds the session of the browser that sent the request. */
export async function findBrowser(context: Context): Promise<Browser> {
	const cookie = readCookie(context, cookieName(context, 'session'));
	if (cookie === undefined) return { id: undefined, session: undefined };
	const id = context.options.digest(context.redact(cookie));
	const session = await context.store.get('browser_session', id);
	const account = session && (await findAccount(context, session.username));
	if (account !== undefined) context.username = account.username;
	return { id, session: account === undefined ? undefined : session };
}

/** Whether an id belongs to this browser: the digest of its cookie, or of one that it had before a sign-in. */
export function matchesBrowser(browser: Browser, id: string): boolean {
	return browser.id === id || browser.session?.previousIds.includes(id) === true;
}

/**
 * Signs a user in. The cookie changes, which prevents session fixation (ASVS 7.2.4).
 * @returns the new id of the browser
 */
export async function signIn(context: Context, browser: Browser, username: string): Promise<string> {
	const previousIds = [
		...(browser.id === undefined ? [] : [browser.id]),
		...(browser.session?.previousIds ?? [])
	].slice(0, maxPreviousIds);
	const id = await startSession(context, context.sandbox, context.store, username, previousIds);
	if (browser.id !== undefined) await context.store.delete('browser_session', browser.id);
	context.username = username;
	return id;
}

/** Signs a user in at another sandbox, which this browser has just created. */
export async function signInAt(context: Context, sandbox: Sandbox, username: string): Promise<void> {
	await startSession(context, sandbox, sandbox.store, username, []);
}

async function startSession(
	context: Context,
	sandbox: Sandbox,
	store: Sandbox['store'],
	username: string,
	previousIds: readonly string[]
): Promise<string> {
	const id = setCookie(context, sandbox.id, 'session');
	const expires = context.options.now() + sessionLifetime;
	await store.update('browser_session', id, () => ({
		username,
		previousIds,
		authTime: sandbox.seconds(),
		expires,
		createdBy: context.networkAddress
	}));
	return id;
}

/** The CSRF token of a browser. It cannot be computed without the cookie. */
function csrfTokenFor(context: Context, browserId: string): string {
	return context.redact(context.options.digest(`csrf ${browserId}`), 'csrf_token');
}

/** Deletes the session and the cookie. */
export async function signOut(context: Context, browser: Browser): Promise<void> {
	if (browser.id !== undefined) await context.store.delete('browser_session', browser.id);
	context.headers.push('Set-Cookie', `${cookieName(context, 'session')}=; ${attributes}; Max-Age=0`);
}

/** What a cookie is for. The id of an `owner` or `session` cookie is that of the sandbox, that of a `class` cookie its code. */
type Purpose = 'session' | 'owner' | 'class';

/**
 * Sets a cookie.
 * @param value default: random
 * @returns the digest of the value
 */
export function setCookie(
	context: Context,
	id: string,
	purpose: Purpose,
	value = base64url(context.options.random(32))
): string {
	context.headers.push('Set-Cookie', `${cookieName(context, purpose, id)}=${context.redact(value)}; ${attributes}`);
	return context.options.digest(value);
}

/** The value of a cookie of this sandbox; undefined if it is missing or sent twice. */
export function readCookie(context: Context, name: string): string | undefined {
	const found = headerValues(context.request.headers, 'cookie')
		.flatMap((header) => header.split(';'))
		.map((pair) => pair.trim())
		.filter((pair) => pair.startsWith(`${name}=`))
		.map((pair) => pair.slice(name.length + 1));
	return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}

/** The name of a cookie of a sandbox. `__Host-` requires `Path=/`, so the name separates sandboxes. */
export function cookieName(context: Context, purpose: Purpose, id = context.sandbox.id): string {
	const suffix = id === rootSandbox ? '' : `-${context.options.digest(id).slice(0, 10)}`;
	return `__Host-tollgate-${purpose}${suffix}`;
}

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

export class FormContext extends Context {
	/** Set by the check that reads the session cookie. */
	browser!: Browser;
	/** Each form of the page contains it, so that no other site can send the form. Empty for a browser without a session cookie. */
	csrfToken!: string;
	/** Set by the check that reads the form. */
	fields!: FormFields;
}

/** Loads the session of the browser, and creates the CSRF token of its forms. */
export function loadSession<C extends FormContext>(): Check<C> {
	return check<C>('session.loaded', async (context) => {
		context.browser = await findBrowser(context);
		const { id } = context.browser;
		context.csrfToken = id === undefined ? '' : csrfTokenFor(context, id);
		context.note(context.browser.session?.username ?? 'No user is signed in');
	});
}

/** Reads a form. Rejects one that no page of the service sent in this browser (RFC 6749, section 10.12). */
export function readVerifiedForm<C extends FormContext>(): Check<C> {
	return check<C>('csrf.form_from_this_browser', (context) => {
		requireSameOrigin(context);
		context.fields = readForm(context);
		const csrfToken = context.fields.get('csrf_token') ?? '';
		if (!timingSafeEqual(csrfToken, context.csrfToken)) {
			throw new ProtocolError('forbidden', 'This form belongs to another session. Reload the page and send it again.', {
				cause: 'other_session'
			});
		}
	});
}

/**
 * The fields of a form that one of the service's pages sent.
 * @param isOwn false: another site may have sent it, whose fields are checked later
 * @throws ProtocolError `payload_too_large`, `invalid_request`
 */
export function readForm(context: Context, isOwn = true): FormFields {
	if (context.request.bodyTooLarge)
		throw new ProtocolError('payload_too_large', 'This form is too long. Shorten it and send it again.', {
			cause: 'body_too_large'
		});
	const type = (context.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
	const body = context.bodyText;
	if (type !== 'application/x-www-form-urlencoded' || body === undefined) {
		throw new ProtocolError('invalid_request', 'The body is not a form. Send it from the page of this service.', {
			cause: 'not_a_form',
			received: [type || '(no Content-Type)'],
			expected: ['application/x-www-form-urlencoded']
		});
	}
	const fields = new FormFields(body);
	const wrong = fields.duplicated() ?? fields.malformed();
	if ((isOwn && wrong !== undefined) || fields.exceedsLimit) {
		throw new ProtocolError(
			'invalid_request',
			'A field was sent twice or is not percent-encoded UTF-8. Send the form from the page of this service.',
			{ cause: 'broken_field' }
		);
	}
	return fields;
}

/**
 * Rejects a request from a page of another site (RFC 6749, section 10.12). Programs send neither header and pass; their key or
 * CSRF token decides what they may do.
 * @throws ProtocolError `forbidden`
 */
export function requireSameOrigin(context: Context): void {
	const origin = context.header('origin');
	const site = context.header('sec-fetch-site');
	const ownOrigin = /^https?:\/\/[^/]+/.exec(formUrlOf(context, '/'))?.[0];
	const isOwnSite = site === undefined || site === 'same-origin' || site === 'none' || isLink(context);
	if ((origin === undefined || origin === ownOrigin) && isOwnSite) return;
	throw new ProtocolError(
		'forbidden',
		'This request was sent from a page of another site. Open the page on this service and send it from there.',
		{ cause: 'other_site', received: [origin ?? `Sec-Fetch-Site: ${site}`], expected: [ownOrigin ?? 'same-origin'] }
	);
}

/** Whether a user followed a link to a page. The other site cannot read the page, and a GET changes nothing. */
function isLink(context: Context): boolean {
	const isDocument = context.header('sec-fetch-mode') === 'navigate' && context.header('sec-fetch-dest') === 'document';
	return context.request.method === 'GET' && isDocument && context.route.name !== 'control';
}
