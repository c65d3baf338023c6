import type { ProviderFile } from '#api/providers/provider-file.ts';
import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';
import { exampleProvider } from '#features/providers/example-provider.ts';
import type { Mistake } from './mistakes.ts';
import { ReferenceClient, type ClientSettings, type PageRequest, type PageResponse } from './reference-client.ts';
import type { TestClient } from './take-exam.ts';

const files = import.meta.glob<ProviderFile>('../../src/content/providers/*.yaml', { eager: true, import: 'default' });

/**
 * The reference client as a client of a provider: at its real URLs, in the way of its file.
 * @param name of the provider
 */
export function providerClient(name: string, settings: ClientSettings, mistakes: readonly Mistake[] = []): TestClient {
	const file = name === 'own' ? exampleProvider : files[`../../src/content/providers/${name}.yaml`];
	if (file === undefined) throw new Error(`There is no file of ${name}.`);
	const { dialect, exampleScope = '' } = file;
	const urlOf = (kind: EndpointKind) =>
		dialect.endpoints?.find((one) => one.kind === kind)?.url.replace(/\{(\w+)\}/g, '$1');
	const { baseUrl, clientId } = settings;
	const paths = new Map<string, string | undefined>([
		['/ws/oauth2/token/', urlOf('token')],
		['/ws/oauth2/revoke', urlOf('revoke')]
	]);

	/** No call is sent before, in milliseconds since 1970. */
	let blockedUntil = 0;

	async function send(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
		const { pathname, search } = new URL(input instanceof Request ? input.url : input);
		const path = pathname.slice(new URL(baseUrl).pathname.length);
		const target = paths.has(path) ? paths.get(path) : urlOf('api');
		if (target === undefined) return new Response('{}');
		const headers = new Headers(init.headers);
		headers.set('user-agent', 'client');
		const sent = init.body instanceof URLSearchParams ? init.body.toString() : init.body;
		const form = new URLSearchParams(typeof sent === 'string' ? sent : '');
		if (dialect.authentication?.[0] === 'basic' && form.has('client_secret')) {
			headers.set('authorization', `Basic ${btoa(`${clientId}:${form.get('client_secret') ?? ''}`)}`);
			form.delete('client_id');
			form.delete('client_secret');
		}
		if (paths.has(path)) headers.set('content-type', 'application/x-www-form-urlencoded');
		const body = init.method === 'POST' ? { body: form.toString() } : {};
		if (!paths.has(path) && Date.now() < blockedUntil) return new Response('', { status: 429 });
		const response = await fetch(target + search, { ...init, headers, ...body });
		const limit = (field: string) =>
			response.headers.get(`x-ratelimit-${field}`) ?? response.headers.get(`x-rate-limit-${field}`);
		if (limit('remaining') === '0') blockedUntil = Number(limit('reset')) * 1000 + 1000;
		if (path !== '/ws/oauth2/token/' || !response.ok) return response;
		const data: unknown = await response.json();
		// GitHub and Slack have the status 200 for errors, and tokens that do not expire.
		if (typeof data !== 'object' || data === null || 'error' in data) return Response.json(data, { status: 400 });
		return Response.json({ expires_in: 31_536_000, ...data });
	}

	const client = new ReferenceClient({ ...settings, dialect: 'standard', mistakes, fetch: send });

	/** What the authorization request of the provider needs. */
	function requestOf(location: string): string {
		const url = new URL(urlOf('authorize') ?? '');
		url.search = new URL(location).search;
		const scope = [exampleScope, dialect.refreshScopes?.[0] ?? ''].join(' ').trim();
		if (scope !== '') url.searchParams.set('scope', [...new Set(scope.split(' '))].join(' '));
		if (dialect.refreshFor === 'offline_consent') {
			url.searchParams.set('access_type', 'offline');
			url.searchParams.set('prompt', 'consent');
		}
		for (const { name, value } of dialect.request?.authorize?.required ?? []) url.searchParams.set(name, value);
		return url.href;
	}

	/** The callback, with the issuer that the reference client compares. */
	function callbackOf({ target, form }: PageRequest & { readonly form?: string | undefined }): string {
		const url = new URL(target, settings.redirectUri);
		if (form !== undefined) url.search = form;
		const own = urlOf('metadata')?.replace(/\/\.well-known.*/, '');
		const isOwn = dialect.iss !== true || url.searchParams.get('iss') === own;
		url.searchParams.set('iss', isOwn ? baseUrl : 'https://another.example');
		return url.pathname + url.search;
	}

	return {
		async handle(request): Promise<PageResponse> {
			const isCallback = /^\/callback\b/.test(request.target);
			const response = await client.handle(isCallback ? { ...request, target: callbackOf(request) } : request);
			const { location, cookie } = response;
			return {
				...response,
				// The response of Apple is a form that another site posts.
				...(cookie !== undefined && { cookie: cookie.replace('SameSite=Lax', 'SameSite=None; Secure') }),
				...(location?.startsWith(`${baseUrl}/ws/oauth2/auth/`) === true && { location: requestOf(location) })
			};
		}
	};
}
