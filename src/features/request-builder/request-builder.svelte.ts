import type { TrafficEntry } from '#api/control/traffic.ts';
import { type ControlApi, ControlError } from '#client/control-api/control-api.ts';
import type { TextStorage } from '#client/storage/web-storage.ts';
import { createFlowSecrets, type FlowSecrets } from '#client/oauth/authorization-request.ts';
import { takeResponse } from './authorization-return.ts';
import type { BuilderStart } from './builder-link.ts';
import { urlOf } from './compose.ts';
import { change, sends, set, valueOf } from './draft.ts';
import { isTokenRequest, kindRows, kindsOf, pathOfRecords, type RequestKind } from './request-kinds.ts';
import { DraftEditor } from './draft-editor.svelte.ts';
import { forKind, inDialect, setAll, withoutPushed, withPushed, type Drafts } from './drafts.ts';
import { mapValues } from '#lib/map-values.ts';
import { findAuthorization, findAuthorizationResponse } from './find-authorization.ts';
import type { Rejection, Tolerance } from './mistakes/mistake.ts';
import { readSandbox } from './application.ts';
import type { World } from '#client/world.ts';
import { readField, readTokens, type BuilderResponse, type SendRequest } from './send-draft.ts';
import { sendRequest } from './send-request.ts';
import { readStored, writeStored, type StoredBuilder } from './stored-builder.ts';

/** What the builder needs of its page. */
export type BuilderEnvironment = {
	readonly api: ControlApi;
	readonly fetch: SendRequest;
	readonly world: World;
	readonly storage: TextStorage;
	/** The address that the requests of this browser count for. Empty: the network address. */
	readonly virtualAddress: string;
	/** Keeps codes and tokens over a reload, and the paths of our own service where it speaks like a provider. For lessons: they have demo data only. */
	readonly keepsSecrets?: boolean;
	/** What a link opens in a tab that has stored nothing yet. The mistake is also chosen again when the code has arrived. */
	readonly opensWith?: BuilderStart | undefined;
};

/** The result of the last request. */
export type BuilderResult = {
	readonly kind: RequestKind;
	/** In their order. None for an authorization request, whose response the browser showed. */
	readonly responses: readonly BuilderResponse[];
	/** What the mistake announced. */
	readonly expected: Rejection | Tolerance | undefined;
	/** Undefined where this browser cannot read the log. */
	readonly entry: TrafficEntry | undefined;
	/** Why there is no response, or no entry. */
	readonly problem?: string;
};

/** The requests that a page builds and sends, and the result of the last one. */
export class RequestBuilder extends DraftEditor {
	isBusy = $state(false);
	result: BuilderResult | undefined = $state.raw();
	/** The authorization response that arrived. Its state is the one that was sent. */
	returned: URLSearchParams | undefined = $state.raw();
	/** The page where the user allows the last device codes, with the user code. */
	verificationUrl: string | undefined = $state.raw();
	#awaiting: StoredBuilder['awaiting'] = $state.raw(null);
	/** The PKCE pair of the next authorization request. The exchange still needs the verifier of the last one. */
	#nextPair: FlowSecrets | undefined;
	/** Whether the exchange of the last authorization request was not found yet. */
	#isAway = false;
	#isReading = false;
	readonly #environment: BuilderEnvironment;

	constructor(environment: BuilderEnvironment) {
		super(environment.api.baseUrl, environment.world);
		this.#environment = environment;
	}

	/** Whether the user brings the code of the open authorization request: an installed application has no page that gets it. */
	get expectsPaste(): boolean {
		return (
			this.#awaiting !== null && this.application.kind === 'installed' && valueOf(this.drafts.exchange, 'code') === ''
		);
	}

	/** Whether a challenge was sent whose verifier no exchange was sent with, also before the page was loaded again. */
	get isPairOpen(): boolean {
		return typeof this.#awaiting?.code_verifier === 'string';
	}

	/** Reads the applications, and what this tab stored before the user left. Then finds the response that came back. */
	async start(): Promise<void> {
		const { api, storage, virtualAddress, opensWith, keepsSecrets } = this.#environment;
		const { provider, ...sandbox } = await readSandbox(api, this.world);
		this.sandbox = keepsSecrets === true || provider === undefined ? sandbox : { ...sandbox, provider };
		const stored = this.#ofSandbox(readStored(storage, this.baseUrl));
		this.#awaiting = stored?.awaiting ?? null;
		this.verificationUrl = stored?.verificationUrl;
		this.#isAway = this.#awaiting !== null;
		this.client_id = stored?.client_id ?? '';
		this.client_id = this.application.client_id;
		const { kind, mistake } = stored ?? opensWith ?? { kind: 'authorization', mistake: null };
		// The dialect may have changed.
		const known = kindsOf(this.sandbox.dialect, this.world.kinds?.[0], this.sandbox.provider);
		this.chooseMistake(known.includes(kind) ? kind : 'authorization', mistake);
		this.drafts = stored === undefined ? await this.newDrafts(virtualAddress) : this.#restored(stored);
		// The verifier of an earlier pair is not stored, so its challenge is of no use.
		const isPairLost = stored !== undefined && !this.#isAway && this.#environment.keepsSecrets !== true;
		if (isPairLost && sends(this.drafts.authorization, 'code_challenge')) await this.addPkce();
		await this.resume();
	}

	/** Shows the result of the authorization request that the tab left the page with. */
	async resume(): Promise<void> {
		if (!this.isReady || !this.#isAway || this.#isReading) return;
		const returned = takeResponse(this.#environment.storage, this.baseUrl);
		this.#isReading = true;
		await this.#showAuthorization(returned !== undefined);
		this.#isReading = false;
		if (returned === undefined) return;
		this.#awaiting = null;
		if (sends(this.drafts.authorization, 'request_uri')) this.drafts = withoutPushed(this.drafts);
		await this.#prepareNextPair();
		this.returned = returned;
		const code = returned.get('code');
		if (code === null) return;
		this.set({ code });
		this.chooseMistake('exchange', this.#environment.opensWith?.mistake ?? null);
	}

	/** Stores what may be stored, for the time that the user is away. */
	save(): void {
		if (!this.isReady) return;
		const { kind, client_id, mistake, drafts } = this;
		const { storage, keepsSecrets = false } = this.#environment;
		const page = keepsSecrets && this.verificationUrl ? { verificationUrl: this.verificationUrl } : {};
		const stored = { kind, client_id, mistake: mistake?.id ?? null, awaiting: this.#awaiting, drafts, ...page };
		writeStored(storage, this.baseUrl, stored, keepsSecrets);
	}

	/** Replaces all requests by correct ones. */
	async reset(): Promise<void> {
		this.mistake = this.result = this.returned = undefined;
		this.#awaiting = null;
		this.#isAway = false;
		this.drafts = await this.newDrafts(this.#environment.virtualAddress);
	}

	/**
	 * The URL to send the user to. The exchange gets the redirect URI and the verifier that belong to it.
	 * @param page path and query of this page, to return to
	 */
	leave(page: string): string {
		const { draft } = this;
		// The parameters of a pushed request are those that were pushed.
		const asked = sends(draft, 'request_uri') ? this.drafts.pushed : draft;
		const usesPkce = sends(asked, 'code_challenge');
		const { authorization } = this.drafts;
		const next = this.#nextPair;
		if (next?.code_challenge === valueOf(authorization, 'code_challenge')) {
			this.set({ code_verifier: next.code_verifier });
		}
		const verifier = valueOf(this.drafts.exchange, 'code_verifier');
		const exchange = change(set(this.drafts.exchange, 'redirect_uri', valueOf(asked, 'redirect_uri')), {
			code_verifier: { isOn: usesPkce }
		});
		this.drafts = { ...this.drafts, exchange };
		this.result = this.returned = undefined;
		this.set({ code: '' });
		this.#isAway = true;
		this.#awaiting = {
			page,
			state: sends(asked, 'state') ? valueOf(asked, 'state') : null,
			code_verifier: usesPkce ? verifier : null
		};
		this.save();
		return urlOf(draft, this.baseUrl);
	}

	/** Sends the request and reads its trace. */
	async send(): Promise<void> {
		const { kind, draft, mistake, context } = this;
		this.isBusy = true;
		this.result = this.returned = undefined;
		if (kind === 'exchange') this.#awaiting = null;
		const sent = await sendRequest(this.#environment, draft, mistake && { mistake, context }, (response) =>
			this.receive(kind, response)
		);
		this.result = { kind, expected: mistake?.expect(context), ...sent };
		this.isBusy = false;
	}

	/** Registers a new key of the application, which signs its assertions. `isRemoved`: removes its keys. */
	async registerKey(isRemoved = false): Promise<void> {
		const { client_id } = this;
		const { api, storage } = this.#environment;
		this.isBusy = true;
		this.result = undefined;
		try {
			if (isRemoved)
				await api.request('PATCH /control/applications/{client_id}', { path: { client_id }, body: { jwks: null } });
			else await new (await import('./signer.ts')).Signer(api, storage).registerKey(client_id);
			const applications = this.sandbox.applications.map((one) =>
				one.client_id === client_id ? { ...one, hasKeys: !isRemoved } : one
			);
			this.sandbox = { ...this.sandbox, applications };
			this.chooseApplication(client_id);
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			this.result = { kind: this.kind, responses: [], expected: undefined, entry: undefined, problem: thrown.message };
		}
		this.isBusy = false;
	}

	/** Gives the authorization request a new PKCE pair. The exchange of a code that has arrived keeps its verifier. */
	async renewPkce(): Promise<void> {
		if (valueOf(this.drafts.exchange, 'code') === '') return this.addPkce();
		this.set({ code_challenge: valueOf(this.drafts.authorization, 'code_challenge'), code_challenge_method: 'S256' });
		return this.#prepareNextPair();
	}

	/** Gives the authorization request a new challenge after its response, if it uses PKCE. */
	async #prepareNextPair(): Promise<void> {
		if (!sends(this.drafts.authorization, 'code_challenge')) return;
		this.#nextPair = await createFlowSecrets();
		const { code_challenge } = this.#nextPair;
		this.drafts = mapValues(this.drafts, (draft) => change(draft, { code_challenge: { value: code_challenge } }));
	}

	/** Puts the tokens and codes of a response into the requests that need them, also where the page did not build its request. */
	receive(kind: RequestKind, { body }: Pick<BuilderResponse, 'body'>): void {
		const [request_uri, device_code] = [readField(body, 'request_uri'), readField(body, 'device_code')];
		if (kind === 'pushed' && request_uri !== undefined) this.drafts = withPushed(this.drafts, request_uri);
		if (kind === 'device_authorization' && device_code !== undefined) {
			this.set({ device_code });
			this.verificationUrl = readField(body, 'verification_uri_complete');
		}
		const record_id = kind === 'records' || kind === 'new_record' ? readField(body, 'id') : undefined;
		if (record_id !== undefined) this.set({ record_id });
		if (!isTokenRequest(kind)) return;
		const { access_token, refresh_token, isBound } = readTokens(body);
		const scheme = isBound ? 'DPoP' : this.sandbox.dialect === 'standard' ? 'Bearer' : 'OAuth';
		if (isBound) this.set({ DPoP: 'new' });
		if (access_token !== undefined)
			// The token that was exchanged stays in view as what was sent. One without a user can only say who acts.
			this.set({
				Authorization: `${scheme} ${access_token}`,
				...(kind === 'client_credentials' && { actor_token: access_token }),
				...(kind !== 'token_exchange' && kind !== 'client_credentials' && { subject_token: access_token })
			});
		if (kind === 'token_exchange' && access_token !== undefined)
			this.drafts = { ...this.drafts, introspection: set(this.drafts.introspection, 'token', access_token) };
		if (refresh_token !== undefined) this.set({ refresh_token, token: refresh_token });
	}

	/** @param isReturned show the response that sent the browser back. A mistake is judged by the first request. */
	async #showAuthorization(isReturned: boolean): Promise<void> {
		const { context, drafts } = this;
		const mistake = this.mistake?.kinds.includes('authorization') === true ? this.mistake : undefined;
		const draft = mistake?.change(drafts.authorization, context) ?? drafts.authorization;
		try {
			const { api } = this.#environment;
			const request = await findAuthorization(api, draft);
			if (request === undefined) return;
			const isRedirectShown = isReturned && mistake === undefined;
			const entry = (isRedirectShown ? await findAuthorizationResponse(api, request) : undefined) ?? request;
			this.#isAway = false;
			// Nothing comes back from a rejected request.
			if (entry.trace.some(({ outcome }) => outcome === 'failed')) this.#awaiting = null;
			this.result = { kind: 'authorization', responses: [], expected: mistake?.expect(context), entry };
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			this.#isAway = false;
		}
	}

	/** What was stored for the paths of the sandbox. It may speak like another provider now. */
	#ofSandbox(stored: StoredBuilder | undefined): StoredBuilder | undefined {
		const { path } = kindRows.authorization.draft;
		return stored?.drafts.authorization.path === (this.sandbox.provider?.paths.authorization ?? path)
			? stored
			: undefined;
	}

	/** Stored drafts with what is not stored in them: the secret of the application, and the verifier of the open request. */
	#restored({ drafts, awaiting }: StoredBuilder): Drafts {
		const { client_secret } = this.application;
		const code_verifier = awaiting?.code_verifier;
		const { kinds: [first] = [] } = this.world;
		const isKnown = this.world.kinds?.some(({ name }) => pathOfRecords(name) === drafts.records.path) ?? true;
		const ofWorld = isKnown || !first ? drafts : forKind(drafts, first);
		const filled = mapValues(inDialect(ofWorld, this.sandbox.dialect, this.sandbox.provider), (draft) =>
			change(draft, { client_secret: { value: client_secret } })
		);
		return setAll(filled, code_verifier ? { code_verifier } : {});
	}
}
