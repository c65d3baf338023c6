import type { TrafficEntry } from '#api/control/traffic.ts';
import { type ControlApi, credentialId } from '#client/control-api/control-api.ts';
import { ControlError } from '#client/control-api/control-error.ts';
import type { Draft } from './draft.ts';
import type { Mistake, MistakeContext } from './mistakes/mistake.ts';
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
};

/**
 * Sends a request as often as its mistake says, and reads the trace of the last one.
 * @param onresponse called with each response
 */
export async function sendRequest(
	{ api, fetch }: Environment,
	draft: Draft,
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
			const response = await sendDraft(draft, api.baseUrl, fetch);
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

function describe(thrown: unknown): string {
	if (thrown instanceof ControlError) return thrown.message;
	return 'The connection was closed without a response. The address may be blacklisted, or a fault is active.';
}
