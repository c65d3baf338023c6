import { signJwt } from '#client/sign-jwt.ts';
import { fieldsOf } from './character-viewer.ts';
import type { LabRandom } from './lab-random.ts';
import { keyPair } from './proof.ts';
import type { Site, SiteRequest, SiteResponse } from './site.ts';

export const syncOrigin = 'https://guild-sync.example';
export const syncClient = 'guild-sync';
/** The issuer of the attacker: a server with metadata and one endpoint. */
export const ownIssuer = 'https://guild-issuer.example';
const site = 'Guild sync';

const keys = keyPair();

/** The public key of the client, as it is registered. */
export async function publicKeys(): Promise<{ keys: [{ kty: 'EC'; crv: 'P-256'; x: string; y: string }] }> {
	const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', (await keys()).publicKey);
	return { keys: [{ kty: 'EC', crv: 'P-256', x, y }] };
}

type Options = {
	/** The base URL of the service. */
	readonly baseUrl: string;
	/** The clock of the lab, in milliseconds. */
	readonly now: () => number;
	/** What it writes into `aud`. */
	readonly audience: 'token_endpoint' | 'issuer' | 'client';
	/** How long its assertions live, in seconds. */
	readonly lifetime: number;
	readonly random: LabRandom;
};

/** A client of several issuers, without a secret: it signs an assertion for each request (RFC 7523). It pushes its requests (RFC 9126). */
export class SigningClient implements Site {
	readonly #options: Options;

	constructor(options: Options) {
		this.#options = options;
	}

	async handle({ url, send }: SiteRequest): Promise<SiteResponse> {
		const issuer = url.searchParams.get('issuer') === 'own' ? ownIssuer : this.#options.baseUrl;
		const found = await send({ method: 'GET', url: `${issuer}/.well-known/oauth-authorization-server` });
		const metadata = fieldsOf(found?.body);
		const endpoint = String(metadata.pushed_authorization_request_endpoint);
		const aud = { issuer, client: syncOrigin, token_endpoint: String(metadata.token_endpoint) }[this.#options.audience];
		const response = await send({
			method: 'POST',
			url: endpoint,
			form: {
				response_type: 'code',
				client_id: syncClient,
				redirect_uri: `${syncOrigin}/callback`,
				scope: 'character_read',
				code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
				code_challenge_method: 'S256',
				client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
				client_assertion: await this.#sign(aud)
			}
		});
		const isPushed = response?.status === 201;
		return {
			status: 200,
			outcome: isPushed ? 'Request pushed' : 'Request not accepted',
			tone: isPushed ? 'ok' : 'caution',
			view: {
				site,
				heading: isPushed ? 'Ready to sign in' : 'Try again later',
				text: `Issuer: ${new URL(issuer).host}`
			}
		};
	}

	async #sign(aud: string): Promise<string> {
		const iat = Math.floor(this.#options.now() / 1000);
		const claims = {
			iss: syncClient,
			sub: syncClient,
			aud,
			iat,
			exp: iat + this.#options.lifetime,
			jti: this.#options.random.text()
		};
		return signJwt({ typ: 'JWT' }, claims, (await keys()).privateKey);
	}
}

/** The attacker's issuer. Its metadata says what the attacker chose, and its endpoint takes what clients push. */
export class OwnIssuer implements Site {
	readonly #tokenEndpoint: () => string | undefined;

	/** @param tokenEndpoint what the attacker wrote into the metadata; undefined: its own */
	constructor(tokenEndpoint: () => string | undefined) {
		this.#tokenEndpoint = tokenEndpoint;
	}

	async handle({ url }: SiteRequest): Promise<SiteResponse> {
		if (url.pathname.startsWith('/.well-known/'))
			return {
				status: 200,
				outcome: 'Metadata',
				tone: 'plain',
				data: {
					issuer: ownIssuer,
					token_endpoint: this.#tokenEndpoint() ?? `${ownIssuer}/token`,
					pushed_authorization_request_endpoint: `${ownIssuer}/par`
				}
			};
		return {
			status: 503,
			outcome: 'Received an assertion',
			tone: 'caution',
			data: { error: 'temporarily_unavailable' }
		};
	}
}
