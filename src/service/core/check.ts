import type { DialectName } from '#api/dialect.ts';
import { checks, type CheckId, type RespondingCheckId } from '#api/checks.ts';
import type { TraceLine } from '#api/control/traffic.ts';
import type { WireResult } from '#api/message.ts';
import type { Context } from './context.ts';

/** Undefined: go on with the next check. A result: stop, and respond with it. */
export type CheckResult = WireResult | undefined | void;

/** A named step of an endpoint. */
export type Check<C extends Context> = {
	/** Of the table of checks, which has its title and section. */
	readonly id: CheckId;
	/** @throws ProtocolError where the check fails */
	readonly run: (context: C) => CheckResult | Promise<CheckResult>;
	/** False: the check is skipped and leaves no trace. Absent: it always runs. */
	readonly applies?: (context: C) => boolean;
	/** The sandboxes in which it runs: those where all of these hold. Absent: in every one. */
	readonly conditions?: readonly SandboxCondition[];
};

/** What does not depend on the request but on how its sandbox is set, so that an endpoint asks it once for all its checks. */
export type SandboxCondition = (context: Pick<Context, 'dialect' | 'sandbox'>) => boolean;

/** Whether a sandbox speaks the dialect of today's standards. */
export const speaksStandard: SandboxCondition = ({ dialect }) => dialect.metadata;

/** Creates a check. One that responds needs an outcome for it in the table. See `Check` for the parameters. */
export function check<C extends Context>(
	id: RespondingCheckId,
	run: (context: C) => CheckResult | Promise<CheckResult>
): Check<C>;
// The last one: the compiler names its type where it does not know an id.
export function check<C extends Context>(id: CheckId, run: (context: C) => void | Promise<void>): Check<C>;
export function check<C extends Context>(
	id: CheckId,
	run: (context: C) => CheckResult | Promise<CheckResult>
): Check<C> {
	return { id, run };
}

/** The same checks, run only for the requests that the condition selects. Their own conditions hold as well. */
export function when<C extends Context>(
	applies: (context: C) => boolean,
	checks: readonly Check<C>[]
): readonly Check<C>[] {
	return checks.map((check) => {
		const { applies: own } = check;
		return { ...check, applies: own === undefined ? applies : (context) => applies(context) && own(context) };
	});
}

/** The same checks, run only in the sandboxes that the condition selects. */
export function inSandboxes<C extends Context>(
	condition: SandboxCondition,
	checks: readonly Check<C>[]
): readonly Check<C>[] {
	return checks.map((check) => ({ ...check, conditions: [condition, ...(check.conditions ?? [])] }));
}

/** As `when`, in the dialect of today's standards. */
export function whenStandard<C extends Context>(
	applies: (context: C) => boolean,
	checks: readonly Check<C>[]
): readonly Check<C>[] {
	return inSandboxes(speaksStandard, when(applies, checks));
}

/** The line of a check in the decision trace, before its result is known. It has the section of the dialect that is in force. */
export function createTraceLine(id: CheckId, outcome: TraceLine['outcome'], dialect: DialectName): TraceLine {
	const row = checks[id];
	const standard = dialect === 'standard' && row.standard?.section !== 'same' ? row.standard : undefined;
	const { title = row.title, section = row.section ?? '' } = standard ?? row;
	return { id, name: title, section, outcome, detail: '', duration_us: 0 };
}
