import type { CheckExplanation, ExplainedCheck } from '#api/check-table/check-record.ts';
import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { isStandardLine } from './exchange-dialect.ts';
import { findHistory } from './value-history.ts';

const files = import.meta.glob<Readonly<Record<string, ExplainedCheck>>>('../../content/checks/*.yaml', {
	eager: true,
	import: 'default'
});
/** What failures of checks mean, and of the causes that any check can have. */
export const explainedChecks: ReadonlyMap<string, ExplainedCheck> = new Map(
	Object.values(files).flatMap((records) => Object.entries(records))
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
	return {
		line,
		// The section of a line is that of the dialect that was in force.
		explanation: explanationOf(line.id, cause, isStandardLine(line)),
		history: history?.text,
		endedBy: history?.by
	};
}

/** The explanation of a check and a cause, of a cause that any check can have, or of a check. */
function explanationOf(id: string, cause = '', isStandard: boolean): CheckExplanation | undefined {
	const check = explainedChecks.get(id);
	for (const found of [check?.causes?.[cause], check?.history?.[cause], explainedChecks.get(cause), check]) {
		const { why, fix, code } = { ...found, ...(isStandard ? found?.standard : undefined) };
		if (why !== undefined && fix !== undefined) return { why, fix, ...(code !== undefined && { code }) };
	}
	return undefined;
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
