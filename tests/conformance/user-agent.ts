import { defined, AssertionFailure } from './assert.ts';
import type { TestResponse, Tokens } from './response.ts';
import { encode, formType, type App, type Pairs, type Sandbox } from './sandbox.ts';

/** Parameters of an authorization request beyond those of the application; undefined leaves one out. */
export type AuthorizationParameters = Readonly<Record<string, string | undefined>>;

/** A user with a browser: keeps cookies, sends forms, and follows redirects of the service on request. */
export class TestUser {
	readonly cookies = new Map<string, string>();

	constructor(
		readonly at: Sandbox,
		readonly username: string
	) {}

	/** Opens a page below the base URL, or a whole URL there. */
	async open(target: string, ...headers: string[]): Promise<TestResponse> {
		const { base_url } = this.at;
		const path = target.startsWith(base_url) ? target.slice(base_url.length) : target;
		return this.keep(await this.at.send({ target: path, headers: [...this.cookie(), ...headers] }));
	}

	/** Posts a form below the base URL, as a browser does on a page of ours. */
	async post(path: string, fields: Pairs, ...headers: string[]): Promise<TestResponse> {
		const sent = [...formType, ...this.cookie(), ...headers];
		return this.keep(await this.at.send({ method: 'POST', target: path, headers: sent, body: encode(fields) }));
	}

	/** Sends an authorization request. */
	authorize(
		app: App = this.at.viewer,
		asked: AuthorizationParameters = {},
		...headers: string[]
	): Promise<TestResponse> {
		return this.open(`/ws/oauth2/auth/?${queryOf(app, asked)}`, ...headers);
	}

	/** Submits the sign-in page of an authorization request. Returns the consent page, or the authorization response. */
	async signInOn(page: TestResponse, password = 'demo'): Promise<TestResponse> {
		const interaction = page.hidden('interaction');
		const response = await this.post('/ws/oauth2/auth/', { interaction, username: this.username, password });
		return response.header('location')?.includes('interaction=') === true ? this.open(response.location) : response;
	}

	/** Submits the consent page. */
	decide(page: TestResponse, decision: 'approve' | 'deny' | 'switch' = 'approve'): Promise<TestResponse> {
		return this.post('/ws/oauth2/auth/', { interaction: page.hidden('interaction'), decision });
	}

	/** Signs in on the account page. */
	async signIn(password = 'demo'): Promise<TestResponse> {
		const page = await this.open('/account');
		const csrf_token = page.hidden('csrf_token');
		return this.post('/account', { csrf_token, action: 'sign-in', username: this.username, password });
	}

	/** Takes an application's access away on the account page. */
	async revoke(client_id = 'character-viewer'): Promise<TestResponse> {
		const page = await this.open('/account');
		return this.post('/account', { csrf_token: page.hidden('csrf_token'), action: 'revoke', client_id });
	}

	/** Opens the consent page. Returns the authorization response if none is shown. */
	async openConsent(app: App = this.at.viewer, asked: AuthorizationParameters = {}): Promise<TestResponse> {
		const page = await this.authorize(app, asked);
		return page.status === 200 && page.text.includes('name="password"') ? this.signInOn(page) : page;
	}

	/** Runs the whole flow and allows everything. Returns the authorization response. */
	async allow(app: App = this.at.viewer, asked: AuthorizationParameters = {}): Promise<TestResponse> {
		const page = await this.openConsent(app, asked);
		return page.text.includes('value="approve"') ? this.decide(page) : page;
	}

	/** Walks the whole flow to a code. */
	async code(app: App = this.at.viewer, asked: AuthorizationParameters = {}): Promise<string> {
		return codeOf(await this.allow(app, asked));
	}

	/** Walks the whole flow to tokens. */
	async tokens(app: App = this.at.viewer, asked: AuthorizationParameters = {}): Promise<Tokens> {
		return (await this.at.exchange(await this.code(app, asked), app)).tokens;
	}

	/** Tokens with a refresh token among them. */
	async offline(
		app: App = this.at.viewer,
		asked: AuthorizationParameters = {}
	): Promise<Tokens & { refresh_token: string }> {
		const tokens = await this.tokens(app, { access_type: 'offline', ...asked });
		return { ...tokens, refresh_token: defined(tokens.refresh_token, 'refresh_token') };
	}

	cookie(): string[] {
		if (this.cookies.size === 0) return [];
		return ['Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')];
	}

	private keep(response: TestResponse): TestResponse {
		for (const line of response.all('set-cookie')) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			if (/max-age=0/i.test(line)) this.cookies.delete(name);
			else this.cookies.set(name, value);
		}
		return response;
	}
}

/** The query of an authorization request; by default for character_read. */
export function queryOf({ client_id, redirect_uri }: App, asked: AuthorizationParameters = {}): string {
	return encode({ response_type: 'code', client_id, redirect_uri, scope: 'character_read', ...asked });
}

/** The code of an authorization response: in `Location`, or in the title of the out-of-band page. */
export function codeOf(response: TestResponse): string {
	const inTitle = /^Success,code=([\w-]+)$/.exec(response.title)?.[1];
	const code = inTitle ?? (response.header('location') === undefined ? undefined : response.parameter('code'));
	if (code === undefined)
		throw new AssertionFailure(`no code: ${response.status} ${response.header('location') ?? ''} ${response.text}`);
	return code;
}
