import { there, Wrong } from './assert.ts';
import type { Reply, Tokens } from './response.ts';
import { encode, formType, type App, type Pairs, type Sandbox } from './sandbox.ts';

/** Parameters of an authorization request beyond those of the application; undefined leaves one out. */
export type Asked = Readonly<Record<string, string | undefined>>;

/** Somebody with a browser: keeps cookies, sends forms, follows the service's own redirects when told to. */
export class Person {
	readonly cookies = new Map<string, string>();

	constructor(
		readonly at: Sandbox,
		readonly username: string
	) {}

	/** Opens a page below the base URL, or a whole URL there. */
	async open(target: string, ...headers: string[]): Promise<Reply> {
		const { base_url } = this.at;
		const path = target.startsWith(base_url) ? target.slice(base_url.length) : target;
		return this.keep(await this.at.send({ target: path, headers: [...this.cookie(), ...headers] }));
	}

	/** Posts a form below the base URL, as a browser does on a page of ours. */
	async post(path: string, fields: Pairs, ...headers: string[]): Promise<Reply> {
		const sent = [...formType, ...this.cookie(), ...headers];
		return this.keep(await this.at.send({ method: 'POST', target: path, headers: sent, body: encode(fields) }));
	}

	/** Sends an authorization request. */
	authorize(app: App = this.at.viewer, asked: Asked = {}, ...headers: string[]): Promise<Reply> {
		return this.open(`/ws/oauth2/auth/?${queryOf(app, asked)}`, ...headers);
	}

	/** Answers the sign-in page of an authorization request; gives what comes after the redirect. */
	async signInOn(page: Reply, password = 'demo'): Promise<Reply> {
		const interaction = page.hidden('interaction');
		const reply = await this.post('/ws/oauth2/auth/', { interaction, username: this.username, password });
		return reply.status === 303 ? this.open(reply.location) : reply;
	}

	/** Answers the consent page. */
	decide(page: Reply, decision: 'approve' | 'deny' | 'switch' = 'approve'): Promise<Reply> {
		return this.post('/ws/oauth2/auth/', { interaction: page.hidden('interaction'), decision });
	}

	/** Signs in on the account page. */
	async signIn(password = 'demo'): Promise<Reply> {
		const page = await this.open('/account');
		const csrf_token = page.hidden('csrf_token');
		return this.post('/account', { csrf_token, action: 'sign-in', username: this.username, password });
	}

	/** Takes an application's access away on the account page. */
	async takeAway(client_id = 'character-viewer'): Promise<Reply> {
		const page = await this.open('/account');
		return this.post('/account', { csrf_token: page.hidden('csrf_token'), action: 'revoke', client_id });
	}

	/** Goes as far as the consent page; the final answer where none is shown. */
	async askedFor(app: App = this.at.viewer, asked: Asked = {}): Promise<Reply> {
		const page = await this.authorize(app, asked);
		return page.status === 200 && page.text.includes('name="password"') ? this.signInOn(page) : page;
	}

	/** Walks the whole flow, allowing everything; gives the answer that delivers the code. */
	async allow(app: App = this.at.viewer, asked: Asked = {}): Promise<Reply> {
		const page = await this.askedFor(app, asked);
		return page.text.includes('value="approve"') ? this.decide(page) : page;
	}

	/** Walks the whole flow to a code. */
	async code(app: App = this.at.viewer, asked: Asked = {}): Promise<string> {
		return codeOf(await this.allow(app, asked));
	}

	/** Walks the whole flow to tokens. */
	async tokens(app: App = this.at.viewer, asked: Asked = {}): Promise<Tokens> {
		return (await this.at.exchange(await this.code(app, asked), app)).tokens;
	}

	/** Tokens with a refresh token among them. */
	async offline(app: App = this.at.viewer, asked: Asked = {}): Promise<Tokens & { refresh_token: string }> {
		const tokens = await this.tokens(app, { access_type: 'offline', ...asked });
		return { ...tokens, refresh_token: there(tokens.refresh_token, 'refresh_token') };
	}

	cookie(): string[] {
		if (this.cookies.size === 0) return [];
		return ['Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')];
	}

	private keep(reply: Reply): Reply {
		for (const line of reply.all('set-cookie')) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			if (/max-age=0/i.test(line)) this.cookies.delete(name);
			else this.cookies.set(name, value);
		}
		return reply;
	}
}

/** The query of an authorization request; by default for character_read. */
export function queryOf({ client_id, redirect_uri }: App, asked: Asked = {}): string {
	return encode({ response_type: 'code', client_id, redirect_uri, scope: 'character_read', ...asked });
}

/** The code that an answer delivers: in `Location`, or in the title of the out-of-band page. */
export function codeOf(reply: Reply): string {
	const inTitle = /^Success,code=([\w-]+)$/.exec(reply.title)?.[1];
	const code = inTitle ?? (reply.header('location') === undefined ? undefined : reply.parameter('code'));
	if (code === undefined) throw new Wrong(`no code: ${reply.status} ${reply.header('location') ?? ''} ${reply.text}`);
	return code;
}
