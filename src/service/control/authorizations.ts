import { type AuthorizationResult, authorizationsApi } from '#api/control/authorizations.ts';
import { unescapeHtml } from '#lib/html.ts';
import { headerValue, headerValues } from '#api/headers.ts';
import type { WireRequest, WireResult } from '#api/message.ts';
import { findAccount } from '../sandbox/test-cards.ts';
import { cookieName } from '../access/cookies.ts';
import type { CredentialOverrides } from '../core/context.ts';
import { base64url, encodeUtf8 } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { endpointOf, examplePath, findProvider, loadProviders, providerNames } from '../provider/providers.ts';
import type { World } from '../world/world.ts';
import { rootSandbox } from '../core/target.ts';
import { type ControlContext, implement } from './control-endpoint.ts';
import { FormFields } from '../core/form-fields.ts';
import { appendQuery, isOutOfBand, matchesRegistered } from '../sandbox/redirect-uris.ts';
import { redirect } from '../core/responses.ts';

/** Handles a request as one from outside: checked, limited and logged. */
export type HandleRequest = (request: WireRequest, overrides?: CredentialOverrides) => Promise<WireResult>;

/** How long the user of the simulated browser stays signed in, in milliseconds of the real clock. */
const sessionLifetime = 60_000;

/**
 * Authorization requests of simulated browsers. The requests are those of any browser, and the traffic log has them. They are for
 * users without a browser: the attacker of a lesson, and tests of clients.
 * @param handle of the service
 */
export function authorizationsEndpoints(handle: HandleRequest) {
	return implement(authorizationsApi, {
		'POST /control/authorizations': async (context, { body: { username, query, decision = 'approve', provider } }) => {
			if ((await findAccount(context, username)) === undefined)
				throw new ProtocolError('invalid_request', 'username: No account has this name.', { field: 'username' });
			const { store, options } = context;
			await loadProviders(provider, options.providers);
			const path = pathOf(provider, context.sandbox.seed.world);
			const value = base64url(options.random(32));
			const session = options.digest(context.redact(value));
			const expires = options.now() + sessionLifetime;
			const created = { authTime: context.sandbox.seconds(), expires, createdBy: context.networkAddress };
			await store.update('browser_session', session, () => ({ username, previousIds: [], ...created }));
			try {
				const browser = new SimulatedBrowser(context, handle, `${cookieName(context, 'session')}=${value}`, path);
				const asked = await browser.open(query);
				const interaction = interactionOf(asked);
				return describeResult(interaction === undefined ? asked : await browser.decide(interaction, decision));
			} finally {
				await store.delete('browser_session', session);
			}
		},
		'GET /control/authorization-response': openAuthorizationResponse
	});
}

/** Where the browser sends its authorization request, below the base URL. */
function pathOf(name: string | undefined, world: World): string {
	if (name === undefined) return '/ws/oauth2/auth/';
	const provider = findProvider(name, world);
	const endpoint = provider && endpointOf(provider, 'authorize');
	if (endpoint !== undefined) return `/as/${name}${examplePath(endpoint)}`;
	throw new ProtocolError('invalid_request', `provider: Use one of ${providerNames().join(', ')}.`, {
		field: 'provider'
	});
}

/** Sends what a browser sends when a user opens a page or submits a form. */
class SimulatedBrowser {
	readonly #handle: HandleRequest;
	readonly #request: Omit<WireRequest, 'method' | 'target' | 'body'>;
	readonly #path: string;

	constructor({ request, sandbox }: ControlContext, handle: HandleRequest, cookie: string, path: string) {
		const headers = [...forwardedHeaders(request), 'Accept', 'text/html', 'Cookie', cookie];
		this.#handle = handle;
		this.#request = { headers, bodyTooLarge: false, peer: request.peer };
		this.#path = `${sandbox.id === rootSandbox ? '' : `/~${sandbox.id}`}${path}`;
	}

	open(query: string): Promise<WireResult> {
		return this.#handle({
			...this.#request,
			method: 'GET',
			target: `${this.#path}?${query}`,
			body: new Uint8Array()
		});
	}

	decide(interaction: string, decision: string): Promise<WireResult> {
		// Without the origin of the page, which may be that of a provider: programs do not send it.
		const form = ['Content-Type', 'application/x-www-form-urlencoded'];
		return this.#handle({
			...this.#request,
			method: 'POST',
			target: this.#path,
			headers: [...this.#request.headers, ...form],
			body: encodeUtf8(`interaction=${encodeURIComponent(interaction)}&decision=${decision}`)
		});
	}
}

/** The form that a browser posts to the client; undefined where the response is another page. */
function formPostOf(body: string): AuthorizationResult['form'] {
	const [, action, content] = /<form method="post" action="([^"]*)" data-submit>(.*?)<\/form>/s.exec(body) ?? [];
	if (action === undefined || content === undefined) return undefined;
	const inputs = [...content.matchAll(/name="([^"]*)" value="([^"]*)"/g)];
	const fields = inputs.map(([, name = '', value = '']) => [unescapeHtml(name), unescapeHtml(value)] as const);
	return { method: 'POST', action: unescapeHtml(action), fields: Object.fromEntries(fields) };
}

/** The id in the form of the consent page, or in its address after a pushed request; undefined for any other response. */
function interactionOf(result: WireResult): string | undefined {
	if (result.kind !== 'response') return undefined;
	if (result.status === 200) return /name="interaction" value="([^"]*)"/.exec(result.body)?.[1];
	return /\/auth\/\?interaction=([^&]+)$/.exec(headerValue(result.headers, 'location') ?? '')?.[1];
}

function describeResult(result: WireResult): AuthorizationResult {
	if (result.kind !== 'response') return { status: null };
	const { status, headers, body } = result;
	const location = headerValue(headers, 'location');
	if (location !== undefined) return { status, location };
	const form = formPostOf(body);
	if (form !== undefined) return { status, form };
	const title = /<title>([^<]*)<\/title>/.exec(body)?.[1];
	return title === undefined ? { status } : { status, title };
}

/**
 * `GET authorization-response`: redirects a browser to a client with a code that was issued to another browser, as the link of an
 * attacker does (RFC 6749, section 10.12). Needs no key, since the browser is that of the victim. It is in the traffic log, which
 * shows that the link was opened. The code is not checked. The redirect URI must be registered, as for every authorization response.
 */
export async function openAuthorizationResponse(context: ControlContext): Promise<WireResult> {
	const fields = new FormFields(context.query);
	const required = (field: string) => {
		const value = fields.get(field);
		if (value !== undefined) return value;
		throw new ProtocolError('invalid_request', `${field}: This parameter is required.`, { field });
	};
	const code = context.redact(required('code'), 'code');
	const application = await context.store.get('application', required('client_id'));
	if (application === undefined)
		throw new ProtocolError('invalid_request', 'client_id: No application has this client_id.', { field: 'client_id' });
	const uri = required('redirect_uri');
	if (isOutOfBand(uri) || !matchesRegistered(application, uri, context.dialect)) {
		const description = 'redirect_uri: The application did not register this redirect URI.';
		throw new ProtocolError('invalid_request', description, { field: 'redirect_uri' });
	}
	context.client_id = application.client_id;
	const state = fields.get('state');
	const pairs = [['code', code], ...(state === undefined ? [] : [['state', context.redact(state, 'state')]])];
	return redirect(
		context,
		appendQuery(
			uri,
			pairs.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`)
		)
	);
}

/** Headers that decide for which address a request counts, and at which host it was sent. */
const forwarded = ['x-forwarded-for', 'x-tollgate-address', 'x-forwarded-host'];

/** The headers with which a request of the control API counts for the address of its caller, at the host of a provider. */
export function forwardedHeaders({ headers }: WireRequest): string[] {
	return forwarded.flatMap((name) => headerValues(headers, name).flatMap((value) => [name, value]));
}
