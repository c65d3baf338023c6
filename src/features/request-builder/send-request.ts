import type { TrafficEntry } from '#api/control/traffic.ts';
import { type ControlApi, ControlError } from '#client/control-api/control-api.ts';
import type { TextStorage } from '#client/storage/web-storage.ts';
import { isSigned, type RequestDraft } from './draft.ts';
import type { MistakeCode, MistakeContext } from './mistakes/mistake.ts';
import { preparations } from './mistakes/preparations.ts';
import { sendDraft, type BuilderResponse, type SendRequest } from './send-draft.ts';

/** The responses to a request, the last one's trace, and why one of them is missing. */
export type SentRequest = {
	readonly responses: readonly BuilderResponse[];
	readonly entry: TrafficEntry | undefined;
	readonly problem?: string;
};

type Environment = {
	readonly api: ControlApi;
	readonly fetch: SendRequest;
	/** Where signing keys are kept, as `Signer` does. */
	readonly storage?: TextStorage | undefined;
};

/**
 * Sends a request as often as its mistake says, and reads the trace of the last one.
 * @param chosen the mistake in it
 * @param onresponse called with each response
 */
export async function sendRequest(
	environment: Environment,
	shown: RequestDraft,
	chosen: { readonly mistake: MistakeCode; readonly context: MistakeContext } | undefined,
	onresponse: (response: BuilderResponse) => void
): Promise<SentRequest> {
	const { api, fetch, storage } = environment;
	const send = async (draft: RequestDraft) => {
		const response = await sendDraft(await sign(draft, api, storage), api.baseUrl, fetch);
		nonce = response.headers.find(([name]) => name.toLowerCase() === 'dpop-nonce')?.[1] ?? nonce;
		return response;
	};
	const responses: BuilderResponse[] = [];
	try {
		const before = chosen?.mistake.before;
		const draft = before ? await preparations[before].prepare({ api, send }, shown, chosen.context) : shown;
		for (let times = chosen?.mistake.times ?? 1; times > 0; times -= 1) {
			const response = await send(draft);
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

/** The newest nonce of the service. */
let nonce: string | undefined;

async function sign(draft: RequestDraft, api: ControlApi, storage: TextStorage | undefined): Promise<RequestDraft> {
	if (!draft.parameters.some(({ name, value, isOn }) => isOn && isSigned(name, value))) return draft;
	const { Signer } = await import('./signer.ts');
	return new Signer(api, storage).sign(draft, nonce);
}

function describe(thrown: unknown): string {
	if (thrown instanceof ControlError) return thrown.message;
	return 'The connection was closed without a response. The address may be blacklisted, or a fault is active.';
}
