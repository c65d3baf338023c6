import * as v from 'valibot';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { challengeOf, randomText } from '#client/oauth/authorization-request.ts';
import { curve, signJwt } from '#client/sign-jwt.ts';
import { storedJson, storeText, type TextStorage } from '#client/storage/web-storage.ts';
import { isSigned, set, valueOf, type RequestDraft, type SignedValue } from './draft.ts';
import { requestOf } from './compose.ts';

/** How long an assertion is valid, in seconds: long enough to replay it in a lesson. */
const lifetime = 600;

const key = v.object({ kty: v.literal('EC'), crv: v.literal('P-256'), x: v.string(), y: v.string(), d: v.string() });
const schema = v.object({ keys: v.record(v.string(), key), last: v.record(v.string(), v.string()) });

type Key = v.InferOutput<typeof key>;
/** Of proofs, of the client, and of the client before it registered a new one. */
type KeyName = 'proof' | 'client' | 'before';

const texts = new Map<string, string>();
/** Until the page is closed. */
const memory: TextStorage = {
	getItem: (name) => texts.get(name) ?? null,
	setItem: (name, text) => void texts.set(name, text),
	removeItem: (name) => void texts.delete(name)
};

/** What a proof is for. */
export type ProofOf = {
	readonly method: string;
	readonly url: string;
	/** Undefined at the token endpoint. */
	readonly accessToken?: string | undefined;
	/** The newest nonce of the service. */
	readonly nonce?: string | undefined;
};

/** Signs DPoP proofs (RFC 9449) and assertions of clients (RFC 7523), by the clock of a sandbox. */
export class Signer {
	readonly #api: ControlApi;
	readonly #storage: () => TextStorage;

	/** @param storage of its keys and of what it signed last: that of the tab, which outlasts the sign-in of a user. Default: memory */
	constructor(api: ControlApi, storage: TextStorage = memory) {
		this.#api = api;
		this.#storage = () => storage;
	}

	/**
	 * The request with what it asks to be signed.
	 * @param nonce the newest one of the service
	 */
	async sign(draft: RequestDraft, nonce: string | undefined): Promise<RequestDraft> {
		let signed = draft;
		for (const { name, value, isOn } of draft.parameters)
			if (isOn && isSigned(name, value)) signed = set(signed, name, await this.#valueOf(draft, name, value, nonce));
		return signed;
	}

	/** A DPoP proof for one request (RFC 9449, section 4.2). */
	async proof({ method, url, accessToken, nonce }: ProofOf, flaw?: SignedValue): Promise<string> {
		const [htu = ''] = url.split(/[?#]/, 1);
		const claims = {
			jti: randomText(),
			htm: flaw === 'wrong htm' ? (method === 'PUT' ? 'GET' : 'PUT') : method,
			htu: flaw === 'wrong htu' ? `${htu}/other` : htu,
			iat: (await this.#seconds()) - (flaw === 'old iat' ? 3600 : 0),
			...(accessToken && { ath: await challengeOf(flaw === 'wrong ath' ? `${accessToken}-other` : accessToken) }),
			...(nonce && flaw !== 'no nonce' && { nonce })
		};
		const { d: _, ...jwk } = await this.#keyOf('proof');
		return this.#signed('proof', { typ: 'dpop+jwt', jwk }, claims);
	}

	/** An assertion of a client for this service (RFC 7523, section 3). */
	async assertion(client_id: string, flaw?: SignedValue): Promise<string> {
		const name = flaw === 'old key' ? 'before' : 'client';
		const iat = await this.#seconds();
		const claims = {
			iss: client_id,
			sub: flaw === 'wrong sub' ? `${client_id}-other` : client_id,
			aud: flaw === 'wrong aud' ? 'https://other.example' : this.#api.baseUrl,
			iat,
			exp: iat + (flaw === 'expired' ? -60 : lifetime),
			jti: randomText()
		};
		return this.#signed(name, { typ: 'JWT', kid: idOf(await this.#keyOf(name)) }, claims);
	}

	/**
	 * Registers a new key of a client in place of its keys.
	 * @throws ControlError
	 */
	async registerKey(client_id: string): Promise<void> {
		const { client } = this.#stored.keys;
		const created = await createKey();
		const { d: _, ...jwk } = created;
		await this.#api.request('PATCH /control/applications/{client_id}', {
			path: { client_id },
			body: { jwks: { keys: [{ ...jwk, kid: idOf(created) }] } }
		});
		this.#keep({ client: created, ...(client && { before: client }) });
	}

	async #valueOf(draft: RequestDraft, name: string, value: SignedValue, nonce: string | undefined): Promise<string> {
		const { url, init } = requestOf(draft, this.#api.baseUrl);
		const accessToken = /^\S+ +(\S+)$/.exec(valueOf(draft, 'Authorization'))?.[1];
		const method = init.method ?? 'GET';
		const client_id = valueOf(draft, 'client_id');
		const subject = name === 'DPoP' ? `${method} ${url} ${accessToken ?? ''}` : client_id;
		const last = value === 'again' ? this.#stored.last[subject] : undefined;
		if (last !== undefined) return last;
		const signed =
			name === 'DPoP'
				? await this.proof({ method, url, accessToken, nonce }, value)
				: await this.assertion(client_id, value);
		if (value === 'new' || value === 'again') this.#keep({}, { [subject]: signed });
		return signed;
	}

	async #seconds(): Promise<number> {
		return Math.floor((await this.#api.request('GET /control/clock')).now / 1000);
	}

	async #keyOf(name: KeyName): Promise<Key> {
		const known = this.#stored.keys[name];
		if (known !== undefined) return known;
		const created = await createKey();
		this.#keep({ [name]: created });
		return created;
	}

	async #signed(name: KeyName, header: object, claims: object): Promise<string> {
		const signing = await crypto.subtle.importKey('jwk', await this.#keyOf(name), curve, false, ['sign']);
		return signJwt(header, claims, signing);
	}

	get #name(): string {
		return `tollgate-signer ${this.#api.baseUrl}`;
	}

	get #stored(): v.InferOutput<typeof schema> {
		const stored = v.safeParse(schema, storedJson(this.#name, this.#storage));
		return stored.success ? stored.output : { keys: {}, last: {} };
	}

	/** @param last the newest one only: earlier ones can no longer be sent again */
	#keep(keys: Partial<Record<KeyName, Key>>, last: Readonly<Record<string, string>> = {}): void {
		const stored = this.#stored;
		const kept = { keys: { ...stored.keys, ...keys }, last: { ...stored.last, ...last } };
		storeText(this.#name, JSON.stringify(kept), this.#storage);
	}
}

async function createKey(): Promise<Key> {
	const { privateKey } = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
	return v.parse(key, await crypto.subtle.exportKey('jwk', privateKey));
}

/** What names a key in assertions. */
const idOf = ({ x }: Key) => x.slice(0, 8);
