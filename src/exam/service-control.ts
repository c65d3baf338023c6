import type { LiveGrant } from '#api/control/credentials.ts';
import type { NewFault } from '#api/control/faults.ts';
import type { SettingsChange } from '#api/control/settings.ts';
import { credentialId } from '#client/control-api/control-api.ts';
import { abandon } from './response-body.ts';
import type { OwnRequests } from './own-requests.ts';
import { attacker, type ExamSandbox, usualLifetimes, usualLimits } from './sandbox.ts';

/** The address of a client that shares none with the exam. */
const virtualAddress = '192.0.2.99';

/** An authorization response with a code, on its way to the client. */
export type AuthorizationResponse = {
	/** The redirect URI with the response in its query. */
	readonly url: URL;
	readonly code: string;
	/** Whether the client gets it as a form. */
	readonly posts: boolean;
};

/** What the exam changes at the service, by the control API of its sandbox. All functions throw `ControlError`. */
export class ServiceControl {
	readonly #sandbox: ExamSandbox;
	readonly #own: OwnRequests;

	/** @param own gets the requests that it sends to the service */
	constructor(sandbox: ExamSandbox, own: OwnRequests) {
		this.#sandbox = sandbox;
		this.#own = own;
	}

	/** Adds a fault. Without `times` it lasts until the end of the probe. */
	async fault(fault: NewFault): Promise<void> {
		await this.#sandbox.api.request('POST /control/faults', { ...this.#key, body: { times: null, ...fault } });
	}

	async clearFaults(): Promise<void> {
		await this.#sandbox.api.request('DELETE /control/faults', this.#key);
	}

	async changeSettings(body: SettingsChange): Promise<void> {
		await this.#sandbox.api.request('PATCH /control/settings', { ...this.#key, body });
	}

	async advanceClock(seconds: number): Promise<void> {
		await this.#sandbox.api.request('POST /control/clock', { ...this.#key, body: { advance: seconds } });
	}

	/** Returns to the real time. */
	async resetClock(): Promise<void> {
		await this.#sandbox.api.request('DELETE /control/clock', this.#key);
	}

	/** Ends the access tokens of the client. Returns their ids. */
	async endAccessTokens(): Promise<string[]> {
		const ids = (await this.#grants()).flatMap(({ access_tokens }) => access_tokens.map(({ id }) => id));
		for (const id of ids) await this.#end('access_tokens', id);
		return ids;
	}

	/** Ends the access that a user gave the client. Returns the ids of the grants. */
	async endGrants(user: string | undefined): Promise<string[]> {
		const ids = (await this.#grants()).filter(({ username }) => username === user).map(({ id }) => id);
		for (const id of ids) await this.#end('grants', id);
		return ids;
	}

	/**
	 * Where the browser of a user goes with the response to an authorization request, once the user has signed in and allowed access.
	 * The code is for exactly this request: its challenge, nonce, scopes and resource.
	 * @param request parameters, or what names those that were pushed
	 * @param username default: the attacker
	 * @returns undefined if the service issues no code
	 */
	async authorize(request: URLSearchParams, username = attacker): Promise<AuthorizationResponse | undefined> {
		const { api, provider } = this.#sandbox;
		const body = { username, query: request.toString(), ...(provider !== undefined && { provider: provider.name }) };
		const { location, form } = await api.request('POST /control/authorizations', { ...this.#key, body });
		const action = location ?? form?.action;
		if (action === undefined || !URL.canParse(action)) return undefined;
		const url = new URL(action);
		for (const [name, value] of Object.entries(form?.fields ?? {})) url.searchParams.set(name, value);
		const code = url.searchParams.get('code');
		if (code === null) return undefined;
		if (username === attacker) this.#own.codes.add(await credentialId(code));
		return { url, code, posts: form !== undefined };
	}

	/**
	 * Blacklists an address, by requests over the limit. If the exam has another address than the client, the client gets a virtual
	 * one.
	 * @param address of the client
	 */
	async blacklist(address: string | undefined, signal: AbortSignal): Promise<void> {
		const { api, client_id } = this.#sandbox;
		await this.changeSettings({ limits: { character: 0, blacklist_after_refused: 1 } });
		if ((await this.#exceedLimit({}, signal)) !== address) {
			const body = { address: virtualAddress };
			await api.request('PATCH /control/applications/{client_id}', { ...this.#key, path: { client_id }, body });
			await this.#exceedLimit({ 'x-tollgate-address': virtualAddress }, signal);
		}
		await this.changeSettings({ limits: usualLimits });
	}

	/** Removes all that a probe added, except what has expired by the clock. */
	async cleanUp(): Promise<void> {
		const { api } = this.#sandbox;
		await this.clearFaults();
		await this.changeSettings({
			limits: usualLimits,
			lifetimes: usualLifetimes,
			retry_after: 'seconds',
			agent_fault: 'none'
		});
		const { blacklist } = await api.request('GET /control/blacklist', this.#key);
		for (const { address } of blacklist)
			await api.request('DELETE /control/blacklist/{+address}', { ...this.#key, path: { address } });
	}

	get #key(): { key?: string } {
		const { key } = this.#sandbox;
		return key === undefined ? {} : { key };
	}

	/** Sends a request over the limit. Returns the address that it counted for. */
	async #exceedLimit(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string | undefined> {
		const { fetch, api, characters } = this.#sandbox;
		const url = `${api.baseUrl}/ws/v2.0/character/${encodeURIComponent(characters[0] ?? 'a')}`;
		const response = await fetch(url, { headers, signal });
		abandon(response.body);
		this.#own.add(response.headers.get('x-request-id'));
		return response.headers.get('x-tollgate-address') ?? undefined;
	}

	async #grants(): Promise<LiveGrant[]> {
		const { api, client_id } = this.#sandbox;
		const { grants } = await api.request('GET /control/credentials', this.#key);
		return grants.filter((grant) => grant.client_id === client_id);
	}

	async #end(kind: 'access_tokens' | 'grants', id: string): Promise<void> {
		const path = { kind, id };
		await this.#sandbox.api.request('DELETE /control/credentials/{kind}/{id}', { ...this.#key, path });
	}
}
