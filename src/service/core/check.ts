import type { WireResult } from '#api/message.ts';
import type { Context } from './context.ts';

/** Undefined: go on with the next check. A result: stop, and respond with it. */
export type CheckResult = WireResult | undefined | void;

/** A named step of an endpoint. */
export type Check<C extends Context> = {
	/** Stable: `<endpoint or area>.<snake_case>`. Programs and tests refer to it. */
	readonly id: string;
	/** What holds when the check has passed, for readers of a trace. */
	readonly title: string;
	/** The section that requires the check: "2.3" or "RFC 6749 §5.2". Empty where none does. */
	readonly section: string;
	/** @throws ProtocolError where the check fails */
	readonly run: (context: C) => CheckResult | Promise<CheckResult>;
	/** False: the check is skipped and leaves no trace. Absent: it always runs. */
	readonly applies?: (context: C) => boolean;
};

/** Creates a check. See `Check` for the parameters. */
export function check<C extends Context>(
	id: string,
	title: string,
	section: string,
	run: (context: C) => CheckResult | Promise<CheckResult>
): Check<C> {
	return { id, title, section, run };
}

/** The same checks, run only for the requests that the condition selects. */
export function when<C extends Context>(
	applies: (context: C) => boolean,
	checks: readonly Check<C>[]
): readonly Check<C>[] {
	return checks.map((one) => ({ ...one, applies }));
}
