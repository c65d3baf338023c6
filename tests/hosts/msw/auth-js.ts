import { Auth, type AuthConfig } from '@auth/core';
import Apple from '@auth/core/providers/apple';
import Atlassian from '@auth/core/providers/atlassian';
import Auth0 from '@auth/core/providers/auth0';
import Keycloak from '@auth/core/providers/keycloak';
import Okta from '@auth/core/providers/okta';
import Salesforce from '@auth/core/providers/salesforce';
import type { SetupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInAtPages } from './identity-platforms.ts';
import { handlers } from '#hosts/library/msw.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { createSecretJwt } from '#client/providers/secret-jwt.ts';
import { createService } from '#hosts/library/tollgate.ts';

const as = ['apple', 'atlassian', 'auth0', 'keycloak', 'okta', 'salesforce'];
const origin = 'https://app.example';
const client = { clientId: 'auth-js', clientSecret: '' };

/** A browser at an application that signs users in with Auth.js. */
class App {
	readonly #cookies = new Map<string, string>();
	readonly #config: AuthConfig;
	/** What Auth.js reports, and does not show to the user. */
	readonly errors: Error[] = [];
	account: unknown;

	constructor(provider: AuthConfig['providers'][number]) {
		this.#config = {
			providers: [provider],
			basePath: '/auth',
			secret: 'a secret of the application',
			trustHost: true,
			logger: { error: (error) => void this.errors.push(error) },
			callbacks: {
				jwt: ({ token, account }) => {
					this.account = account ?? this.account;
					return token;
				}
			}
		};
	}

	async send(path: string, form?: Record<string, string>): Promise<Response> {
		const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		const body = form && new URLSearchParams(form);
		const request = new Request(origin + path, { headers: { cookie }, ...(body && { method: 'POST', body }) });
		const response = await Auth(request, this.#config);
		for (const set of response.headers.getSetCookie()) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
			if (value === '' || /max-age=0/i.test(set)) this.#cookies.delete(name);
			else this.#cookies.set(name, value);
		}
		return response;
	}

	/** Presses the button that signs in. @returns where the browser is sent */
	async start(id: string): Promise<URL> {
		const { csrfToken } = await (await this.send('/auth/csrf')).json();
		const { headers } = await this.send(`/auth/signin/${id}`, { csrfToken, callbackUrl: origin });
		return new URL(headers.get('location') ?? origin);
	}
}

/**
 * Auth.js, unmodified, at the real URLs of the providers that it knows.
 * @param shown what the tests have shown: rows of the table in the documentation
 */
export function testAuthJs(server: SetupServer, shown: string[]): void {
	const service = createService();
	const control = async (path: string, body: object) => {
		const headers = { 'content-type': 'application/json' };
		const response = await fetch(service.origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
		return response.json();
	};
	beforeAll(async () => {
		server.use(...handlers(service, { as }));
		const redirect_uris = as.map((id) => `${origin}/auth/callback/${id}`);
		const application = { name: 'Auth.js', kind: 'web', redirect_uris };
		const made = await control('/control/applications', application);
		client.clientId = made.client_id;
		client.clientSecret = made.client_secret;
	});
	afterAll(() => server.resetHandlers());

	/** What the application has after the callback. */
	async function sessionOf(app: App, path: string, form?: Record<string, string>): Promise<unknown> {
		const { headers } = await app.send(path, form);
		expect([headers.get('location'), app.errors]).toEqual([origin, []]);
		return (await app.send('/auth/session')).json();
	}

	/** A user signs in at the pages of the provider. */
	async function signIn(app: App, id: string): Promise<unknown> {
		const { pathname, search } = await signInAtPages(await app.start(id));
		return sessionOf(app, pathname + search);
	}

	describe('@auth/core at the real URLs', () => {
		it('signs in at Okta, Auth0, a realm of Keycloak and Salesforce by their metadata', async () => {
			const apps = [
				['okta', 'Okta', Okta({ ...client, issuer: 'https://example.okta.com/oauth2/default' })],
				['auth0', 'Auth0', Auth0({ ...client, issuer: 'https://example.auth0.com/' })],
				['keycloak', 'Keycloak', Keycloak({ ...client, issuer: 'https://my.keycloak.org/realms/shop' })],
				['salesforce', 'Salesforce', Salesforce(client)]
			] as const;
			for (const [id, title, provider] of apps) {
				const app = new App(provider);
				expect(await signIn(app, id)).toMatchObject({ user: { name: 'player-one' } });
				expect(app.account).toMatchObject({ provider: id, id_token: expect.stringMatching(/^eyJ/) });
				const limit = title === 'Salesforce' ? 'discovery, sign-in, ID token, no time of expiry' : undefined;
				expect(Object(app.account).expires_at === undefined).toBe(limit !== undefined);
				shown.push(`| \`@auth/core\` | ${title} | ${limit ?? 'discovery, sign-in, ID token, session'} |`);
			}
		});

		it('signs in at Atlassian with HTTP Basic, once its options have prompt=consent', async () => {
			const unasked = new App(Atlassian(client));
			const callback = await signInAtPages(await unasked.start('atlassian'));
			expect(callback.searchParams.get('error')).toBe('invalid_request');
			const params = { scope: 'read:me', audience: 'api.atlassian.com', prompt: 'consent' };
			const app = new App(Atlassian({ ...client, authorization: { params } }));
			expect(await signIn(app, 'atlassian')).toMatchObject({ user: { name: 'player-one' } });
			shown.push('| `@auth/core` | Atlassian | missing `prompt`, sign-in with HTTP Basic, call, session |');
		});

		it('reads the name of a user of Apple in the first form, and not in the second', async () => {
			const api = new ControlApi(service.origin);
			const dialect = { secretJwt: 3600, idToken: { issuer: 'https://appleid.apple.com' } };
			const clientSecret = await createSecretJwt(api, undefined, client.clientId, dialect);
			const app = new App(Apple({ ...client, ...(clientSecret && { clientSecret }) }));
			for (const name of ['player-one ', undefined]) {
				const query = (await app.start('apple')).search.slice(1);
				const body = { username: 'player-one', query, provider: 'apple' };
				const { form } = await control('/control/authorizations', body);
				const { user } = Object(await sessionOf(app, '/auth/callback/apple', form.fields));
				expect(user.name).toBe(name);
			}
			shown.push('| `@auth/core` | Apple | sign-in by form_post, JWT as the secret, name once, ID token, session |');
		});
	});
}
