import type { TrafficEntry } from '#api/control/traffic.ts';
import { type ControlApi, credentialId } from '#client/control-api/control-api.ts';
import { ControlError } from '#client/control-api/control-error.ts';
import { newProof, sameProof, set, valueOf, type RequestDraft } from './draft.ts';
import type { Mistake, MistakeContext } from './mistakes/mistake.ts';
import { requestIdOf } from '../inspector/resend.ts';
import { requestOf } from './compose.ts';

/** The responses to a request, the last one's trace, and why one of them is missing. */
export type SentRequest = {
	readonly responses: readonly BuilderResponse[];
	readonly entry: TrafficEntry | undefined;
	readonly problem?: string;
};

type Environment = {
	readonly api: ControlApi;
	readonly fetch: SendRequest;
};

/**
 * Sends a request as often as its mistake says, and reads the trace of the last one.
 * @param onresponse called with each response
 */
export async function sendRequest(
	{ api, fetch }: Environment,
	draft: RequestDraft,
	mistake: Mistake | undefined,
	{ accessToken }: MistakeContext,
	onresponse: (response: BuilderResponse) => void
): Promise<SentRequest> {
	const responses: BuilderResponse[] = [];
	try {
		if (mistake?.before === 'end_access_token') {
			await api.request('DELETE /control/credentials/{kind}/{id}', {
				path: { kind: 'access_tokens', id: await credentialId(accessToken) }
			});
		}
		for (let times = mistake?.times ?? 1; times > 0; times -= 1) {
			const response = await sendDraft(await signProof(draft, api), api.baseUrl, fetch);
			nonce = response.headers.find(([name]) => name.toLowerCase() === 'dpop-nonce')?.[1] ?? nonce;
			responses.push(response);
			onresponse(response);
		}
		const id = responses.at(-1)?.requestId;
		return {
			responses,
			entry:
				id === undefined
					? undefined
					: await api.request('GET /control/traffic/{request_id}', { path: { request_id: id } })
		};
	} catch (thrown) {
		return { responses, entry: undefined, problem: describe(thrown) };
	}
}

/** The newest nonce of the service, and the last DPoP proof. */
let nonce: string | undefined;
let lastProof = '';

/** The request with a new DPoP proof, or the last one, where it asks for that. */
async function signProof(draft: RequestDraft, api: ControlApi): Promise<RequestDraft> {
	const wanted = draft.parameters.find(({ name, isOn }) => name === 'DPoP' && isOn)?.value;
	if (wanted === sameProof) return set(draft, 'DPoP', lastProof);
	if (wanted !== newProof) return draft;
	const { now } = await api.request('GET /control/clock');
	const { createProof } = await import('./dpop-proof.ts');
	const accessToken = /^\S+ +(\S+)$/.exec(valueOf(draft, 'Authorization'))?.[1];
	const { url, init } = requestOf(draft, api.baseUrl);
	const proof = { method: init.method ?? 'GET', url, iat: Math.floor(now / 1000), accessToken, nonce };
	lastProof = await createProof(proof);
	return set(draft, 'DPoP', lastProof);
}

function describe(thrown: unknown): string {
	if (thrown instanceof ControlError) return thrown.message;
	return 'The connection was closed without a response. The address may be blacklisted, or a fault is active.';
}

/** A response as the page shows it. */
export type BuilderResponse = {
	readonly status: number;
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly body: string;
	/** Its `X-Request-Id`. */
	readonly requestId: string | undefined;
	/** Milliseconds. */
	readonly duration: number;
};

/** The part of `fetch` that is used. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Sends a request.
 * @throws TypeError where there is no response
 */
export async function sendDraft(draft: RequestDraft, baseUrl: string, fetch: SendRequest): Promise<BuilderResponse> {
	const { url, init } = requestOf(draft, baseUrl);
	const begin = performance.now();
	const response = await fetch(url, { ...init, redirect: 'manual', cache: 'no-store', credentials: 'omit' });
	const body = await response.text();
	return {
		status: response.status,
		headers: [...response.headers],
		body,
		requestId: requestIdOf(response),
		duration: Math.round(performance.now() - begin)
	};
}

/** A text in the body of a response, JSON or XML. */
export function readField(body: string, name: string): string | undefined {
	return new RegExp(`"${name}":\\s*"([^"]+)"`).exec(body)?.[1] ?? new RegExp(`<${name}>([^<]+)<`).exec(body)?.[1];
}

/** The tokens in the body of a token response, JSON or XML. Empty in any other body. */
export function readTokens(body: string): {
	readonly access_token?: string;
	readonly refresh_token?: string;
	/** Whether the access token needs a DPoP proof. */
	readonly isBound: boolean;
} {
	const [access_token, refresh_token] = [readField(body, 'access_token'), readField(body, 'refresh_token')];
	return {
		isBound: readField(body, 'token_type') === 'DPoP',
		...(access_token === undefined ? {} : { access_token }),
		...(refresh_token === undefined ? {} : { refresh_token })
	};
}
