import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { isStandardLine } from '../exchange-dialect.ts';
import { findHistory } from '../value-history.ts';
import { agent } from './agent.ts';
import { authorization } from './authorization.ts';
import { clientDocument } from './client-document.ts';
import { clientAssertion } from './client-assertion.ts';
import { codeExchange } from './code-exchange.ts';
import { device } from './device.ts';
import { dpop } from './dpop.ts';
import type { CheckExplanation, ExplanationKey, SharedExplanations } from './explanation.ts';
import { general, shared } from './general.ts';
import { openid } from './openid.ts';
import { pushed } from './pushed.ts';
import { pages } from './pages.ts';
import { refreshAndRevoke } from './refresh-and-revoke.ts';
import { resources } from './resources.ts';
import { standardExplanations, standardOnly } from './standard.ts';
import { tokenExchange } from './token-exchange.ts';
import { tokenRequest } from './token-request.ts';

export const explanations: Readonly<Record<ExplanationKey, CheckExplanation>> = {
	...tokenRequest,
	...codeExchange,
	...refreshAndRevoke,
	...authorization,
	...pages,
	...resources,
	...general,
	...standardOnly,
	...openid,
	...device,
	...dpop,
	...tokenExchange,
	...pushed,
	...clientAssertion,
	...agent,
	...clientDocument
};

/** The explanations of causes that any check can have. */
export const sharedExplanations: SharedExplanations = shared;

/** For a check and a cause, for a cause that any check can have, and for a check. */
const byKey: ReadonlyMap<string, CheckExplanation> = new Map<string, CheckExplanation>(
	Object.entries({ ...explanations, ...sharedExplanations })
);
const standardByKey: ReadonlyMap<string, CheckExplanation> = new Map<string, CheckExplanation>(
	Object.entries(standardExplanations)
);

/** A failure, with what the log knows about the value that was sent. */
export type Failure = {
	readonly line: TraceLine;
	readonly explanation: CheckExplanation | undefined;
	/** What happened to the code or token before, in a sentence. */
	readonly history: string | undefined;
	/** The exchange that ended it. */
	readonly endedBy: TrafficEntry | undefined;
};

/**
 * The check that stopped an exchange, and its explanation. Undefined where nothing failed.
 * @param entries the log, which may know more about the code or token than the service did
 */
export function explainFailure(entry: TrafficEntry, entries: readonly TrafficEntry[]): Failure | undefined {
	const line = failedLine(entry);
	if (line === undefined) return undefined;
	const history = findHistory(entry, entries, line.id);
	const cause = line.cause ?? history?.cause;
	const keys = cause === undefined ? [line.id] : [`${line.id} ${cause}`, cause, line.id];
	// The section of a line is that of the dialect that was in force.
	const isStandard = isStandardLine(line);
	return {
		line,
		explanation: keys
			.map((key) => (isStandard ? standardByKey.get(key) : undefined) ?? byKey.get(key))
			.find((found) => found !== undefined),
		history: history?.text,
		endedBy: history?.by
	};
}

/** Whether a check failed, the response is an error, or there is none. */
export function hasFailed(entry: TrafficEntry): boolean {
	return failedLine(entry) !== undefined;
}

function failedLine({ trace, response }: TrafficEntry): TraceLine | undefined {
	const failed = trace.find(({ outcome }) => outcome === 'failed');
	if (failed !== undefined) return failed;
	const last = trace.at(-1);
	const isError = response === null || response.status >= 400;
	const isDeclined = last?.id === 'consent.not_declined_by_test_account';
	const isFault = last?.id.startsWith('fault.') === true;
	return last?.outcome === 'responded' && (isError || isDeclined || isFault) ? last : undefined;
}
