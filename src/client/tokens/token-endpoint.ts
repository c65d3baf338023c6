import * as oauth from 'oauth4webapi';
import type { Application } from '../application.ts';
import { authorizationServer, isOnThisMachine, type Endpoints } from '../endpoints.ts';
import type { Journal } from '../events.ts';
import { Problem, plain, problemOf } from '../problems.ts';
import { isXml, type Format } from '../resources/answer.ts';
import type { Fetch } from '../wiretap.ts';
import type { XmlReader } from '../xml.ts';
import type { Flow } from '../sign-in/flows.ts';
import { conformAnswer, lifetimeOf, type TokenAnswer } from './token-answer.ts';

/** What the token endpoint needs. */
export type TokenTools = {
	readonly fetch: Fetch;
	readonly readXml: XmlReader;
	/** Which encoding to ask for. */
	readonly format: () => Format;
	readonly journal: Journal;
};

/** The service's token type is `OAuth`, the name of the scheme that its resources take. */
const recognizedTokenTypes = { oauth: () => undefined };

/**
 * The half that a real web-server application runs on its server: it holds the secret and speaks to the token endpoint
 * (section 2.3) through oauth4webapi. Nothing in it knows a browser.
 */
export class TokenEndpoint {
	readonly #server: oauth.AuthorizationServer;
	readonly #client: oauth.Client;
	readonly #secret: oauth.ClientAuth;
	readonly #installed: boolean;
	readonly #tools: TokenTools;
	readonly #options: oauth.TokenEndpointRequestOptions;

	constructor(endpoints: Endpoints, application: Application, tools: TokenTools) {
		this.#server = authorizationServer(endpoints);
		this.#client = { client_id: application.client_id };
		this.#secret = oauth.ClientSecretPost(application.client_secret);
		this.#installed = application.kind === 'installed';
		this.#tools = tools;
		this.#options = {
			[oauth.customFetch]: (address, init) => this.#send(address, init),
			// Only where nothing leaves this machine: the static build runs its service inside the page.
			[oauth.allowInsecureRequests]: isOnThisMachine(endpoints.token)
		};
	}

	/**
	 * Exchanges a code, once: it is never sent a second time, whatever happens.
	 * @param parameters what `oauth.validateAuthResponse` returned
	 * @param flow the sign-in that it came of: redirect URI, PKCE verifier (null where no challenge was sent), access type
	 * @throws {Problem} with the service's error code, or `silence`, `unreadable`
	 */
	async exchange(
		parameters: URLSearchParams,
		flow: Pick<Flow, 'redirect_uri' | 'verifier' | 'access_type'>
	): Promise<TokenAnswer> {
		return this.#settle(async () => {
			// Without a challenge a verifier would be refused.
			const proof = flow.verifier ?? oauth.nopkce;
			const [server, client] = [this.#server, this.#client];
			const answer = await oauth.authorizationCodeGrantRequest(
				...([server, client, this.#secret, parameters, flow.redirect_uri, proof] as const),
				// Where a web application asks for offline access in its authorization request, an installed one does it here.
				this.#installed ? { ...this.#options, additionalParameters: { access_type: flow.access_type } } : this.#options
			);
			return oauth.processAuthorizationCodeResponse(server, client, answer, { recognizedTokenTypes });
		});
	}

	/**
	 * Gets a new access token.
	 * @throws {Problem} with the service's error code (`invalid_grant`: the access was revoked), or `silence`, `unreadable`
	 */
	async refresh(refresh_token: string): Promise<TokenAnswer> {
		return this.#settle(async () => {
			const [server, client] = [this.#server, this.#client];
			const answer = await oauth.refreshTokenGrantRequest(server, client, this.#secret, refresh_token, this.#options);
			return oauth.processRefreshTokenResponse(server, client, answer, { recognizedTokenTypes });
		});
	}

	async #send(address: string, init: oauth.CustomFetchOptions<'POST', URLSearchParams>): Promise<Response> {
		const accept = this.#tools.format() === 'xml' ? 'application/xml' : 'application/json';
		const { body, method, redirect } = init;
		const answer = await this.#tools.fetch(address, { method, body, redirect, headers: { ...init.headers, accept } });
		const conform = await conformAnswer(answer, this.#tools.readXml);
		if (isXml(answer)) {
			const what = 'Read the XML, and handed its fields to oauth4webapi as JSON: it reads nothing else';
			this.#tools.journal.tell({ kind: 'checked', what, facts: [['root', 'OAuth']], section: '2.4' });
		}
		return conform;
	}

	async #settle(ask: () => Promise<oauth.TokenEndpointResponse>): Promise<TokenAnswer> {
		try {
			const { access_token, refresh_token, scope, expires_in } = await ask();
			return {
				access_token,
				refresh_token: refresh_token ?? null,
				scope: scope === undefined ? null : scope.split(' ').filter((name) => name !== ''),
				lifetime: lifetimeOf(expires_in)
			};
		} catch (thrown) {
			if (thrown instanceof oauth.ResponseBodyError) {
				const { error, error_description = '', status } = thrown;
				throw new Problem(plain(error), plain(error_description), { status, cause: thrown });
			}
			if (thrown instanceof oauth.OperationProcessingError) {
				throw new Problem(...faultOf(thrown));
			}
			throw problemOf(thrown);
		}
	}
}

/** An answer that is no OAuth answer: a fault of the service if it says so, else one we cannot read. */
function faultOf(thrown: oauth.OperationProcessingError): ConstructorParameters<typeof Problem> {
	const status = thrown.cause instanceof Response ? thrown.cause.status : undefined;
	const code = status !== undefined && status >= 500 ? 'server_error' : 'unreadable';
	return [code, plain(thrown.message), status === undefined ? {} : { status }];
}
