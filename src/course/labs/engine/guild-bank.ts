import { fieldsOf } from './character-viewer.ts';
import type { LabRandom } from './lab-random.ts';
import type { Site, SiteRequest, SiteResponse } from './site.ts';

export const bankOrigin = 'https://guild-bank.example';
export const bankClient = 'guild-bank';
const site = 'Guild bank';

type Options = {
	/** The base URL of the service. */
	readonly baseUrl: string;
	/** Of its application at the service. */
	readonly secretOf: () => string;
	/** Of which tokens it takes: all, those issued to its own application, or of these those whose `aud` is its URL. */
	readonly audience: 'any' | 'client' | 'url';
	readonly random: LabRandom;
};

/** A resource besides those of the service: it shows a balance to the user of an access token. Users sign in with its own application. */
export class GuildBank implements Site {
	readonly #options: Options;
	readonly #tokens = new Map<string, string>();

	constructor(options: Options) {
		this.#options = options;
	}

	async handle(request: SiteRequest): Promise<SiteResponse> {
		const { pathname } = request.url;
		if (pathname === '/start') return this.#start();
		if (pathname === '/callback') return this.#callback(request);
		const cookie = this.#tokens.get(request.cookies.get('__Host-bank') ?? '');
		const token = /^Bearer (.+)$/.exec(request.authorization ?? '')?.[1] ?? cookie;
		return token === undefined
			? {
					status: 401,
					outcome: 'No token',
					tone: 'error',
					rule: 'resource.token_sent',
					view: { site, text: 'Sign in first.' }
				}
			: this.#account(request, token);
	}

	async #account(request: SiteRequest, token: string): Promise<SiteResponse> {
		const { baseUrl, secretOf, audience } = this.#options;
		if (audience !== 'any') {
			const response = await request.send({
				method: 'POST',
				url: `${baseUrl}/ws/oauth2/introspect`,
				form: { token, client_id: bankClient, client_secret: secretOf() }
			});
			const { active, aud } = fieldsOf(response?.body);
			const isFor = audience === 'client' || aud === bankOrigin;
			if (active !== true || !isFor)
				return {
					status: 401,
					outcome: 'Not for Guild bank. Rejected',
					tone: 'error',
					rule: 'resource.audience',
					compared:
						active === true
							? { found: typeof aud === 'string' ? aud : 'no aud', expected: bankOrigin }
							: { found: 'active: false', expected: 'active: true' },
					view: { site, text: 'This token is not for Guild bank.', isRejected: true }
				};
		}
		const url = `${baseUrl}/ws/v2.0/character/${encodeURIComponent('Mara Vell')}`;
		const response = await request.send({ method: 'GET', url, authorization: `Bearer ${token}` });
		if (response?.status !== 200 || response.username === undefined)
			return { status: 401, outcome: 'Token not accepted', tone: 'error', rule: 'resource.token_active' };
		const user = response.username;
		const items = [{ title: 'Balance', text: '1,250 credits' }];
		return {
			status: 200,
			outcome: `Account of ${user}`,
			tone: 'ok',
			data: { account: user, balance: 1250 },
			view: { site, user, heading: 'Your account', items }
		};
	}

	async #start(): Promise<SiteResponse> {
		const query = new URLSearchParams({
			response_type: 'code',
			client_id: bankClient,
			redirect_uri: `${bankOrigin}/callback`,
			scope: 'openid character_read',
			nonce: this.#options.random.text()
		});
		return {
			status: 303,
			location: `${this.#options.baseUrl}/ws/oauth2/auth/?${query.toString()}`,
			outcome: 'Sign-in started',
			tone: 'plain'
		};
	}

	async #callback(request: SiteRequest): Promise<SiteResponse> {
		const response = await request.send({
			method: 'POST',
			url: `${this.#options.baseUrl}/ws/oauth2/token/`,
			form: {
				grant_type: 'authorization_code',
				code: request.url.searchParams.get('code') ?? '',
				redirect_uri: `${bankOrigin}/callback`,
				client_id: bankClient,
				client_secret: this.#options.secretOf()
			}
		});
		const token = fieldsOf(response?.body).access_token;
		if (typeof token !== 'string') return { status: 502, outcome: 'The code was not accepted', tone: 'error' };
		const id = this.#options.random.text();
		this.#tokens.set(id, token);
		return { status: 303, location: `${bankOrigin}/`, cookie: `__Host-bank=${id}`, outcome: 'Signed in', tone: 'ok' };
	}
}
