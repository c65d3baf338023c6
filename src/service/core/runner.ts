import type { TraceLine } from '#api/control/traffic.ts';
import type { WireResponse, WireResult } from '#api/message.ts';
import { StoreFull, StoreUnavailable } from '#store/errors.ts';
import type { Context, ContextInit } from './context.ts';
import { ProtocolError } from './errors.ts';
import type { DialectName } from '#api/dialect.ts';
import { type CheckId, checks, type RespondingCheckId } from '#api/checks.ts';

/** An ordered list of checks, and the way its errors become responses. */
export type Endpoint = {
	readonly checks: readonly Pick<Check<Context>, 'id'>[];
	/** Opens the context of a request, and a function that runs the checks on it. */
	open(init: ContextInit): { context: Context; respond: () => Promise<WireResult> };
};

/** Checks that run behind the others, one list of several: `choose` names it once the others have passed. */
export type Choice<C extends Context, Name extends string> = {
	readonly choose: (context: C) => Name;
	readonly lists: Readonly<Record<Name, readonly Check<C>[]>>;
};

/**
 * Creates an endpoint.
 * @param Kind the context that its checks fill
 * @param checks in the order in which they run
 * @param toResponse turns an error into a response
 */
export function endpoint<C extends Context, Name extends string = never>(
	Kind: new (init: ContextInit) => C,
	checks: readonly Check<C>[],
	toResponse: (context: C, error: ProtocolError) => WireResponse,
	last?: Choice<C, Name>
): Endpoint {
	const lists: readonly (readonly Check<C>[])[] = last === undefined ? [] : Object.values(last.lists);
	const all = [...new Set([...checks, ...lists.flat()])];
	const conditions = [...new Set(all.flatMap((check) => check.conditions ?? []))];
	const planOf = (list: readonly Check<C>[]) => createPlans(list, conditions);
	const first = planOf(checks);
	const others = new Map(lists.map((list) => [list, planOf(list)]));

	async function respond(context: C): Promise<WireResult> {
		const held = conditions.reduce((bits, holds, at) => (holds(context) ? bits | (1 << at) : bits), 0);
		const result = await run(context, first(held), toResponse);
		if (result !== undefined) return result;
		const list = last === undefined ? undefined : others.get(last.lists[last.choose(context)]);
		const other = list && (await run(context, list(held), toResponse));
		return (
			other ?? toResponse(context, toProtocolError(context, new Error(`No check responded: ${context.route.endpoint}`)))
		);
	}

	return {
		checks: all,
		open(init) {
			const context = new Kind(init);
			return { context, respond: () => respond(context) };
		}
	};
}

/**
 * The checks of a list that run in a sandbox, put together once for each way in which a sandbox can be set.
 * @returns takes one bit for each condition, set where it holds
 */
function createPlans<C extends Context>(checks: readonly Check<C>[], all: readonly SandboxCondition[]) {
	const plans: (readonly Check<C>[])[] = [];
	const isHeld = (condition: SandboxCondition, held: number) => (held & (1 << all.indexOf(condition))) !== 0;
	return (held: number) =>
		(plans[held] ??= checks.filter(({ conditions = [] }) => conditions.every((one) => isHeld(one, held))));
}

/** @returns undefined where every check has passed */
async function run<C extends Context>(
	context: C,
	checks: readonly Check<C>[],
	toResponse: (context: C, error: ProtocolError) => WireResponse
): Promise<WireResult | undefined> {
	const timer = context.options.timer ?? context.options.now;
	let begin = timer();
	for (const { id, run, applies } of checks) {
		if (applies?.(context) === false) continue;
		const line = createTraceLine(id, 'passed', context.dialect.name);
		context.trace.push(line);
		try {
			const returned = run(context);
			const result = returned instanceof Promise ? await returned : returned;
			if (result !== undefined) {
				line.outcome = 'responded';
				return result;
			}
		} catch (fault) {
			line.outcome = 'failed';
			const error = toProtocolError(context, fault);
			recordFailure(line, error);
			return toResponse(context, error);
		} finally {
			const end = timer();
			line.duration_us = Math.round((end - begin) * 1000);
			// oxlint-disable-next-line no-useless-assignment -- the next check reads it
			begin = end;
		}
	}
	return undefined;
}

function recordFailure(line: TraceLine, { message, cause, received, expected }: ProtocolError): void {
	line.detail ||= message;
	if (cause !== undefined) line.cause = cause;
	if (received !== undefined) line.found = received.join('\n');
	if (expected !== undefined) line.expected = expected.join('\n');
}

function toProtocolError(context: Context, fault: unknown): ProtocolError {
	if (fault instanceof ProtocolError) return fault;
	if (fault instanceof StoreFull && context.route.name === 'control') {
		return new ProtocolError('limit_reached', fault.message, { cause: 'sandbox_full' });
	}
	if (fault instanceof StoreFull) {
		return new ProtocolError('temporarily_unavailable', 'This sandbox is full. Reset it, or try again later.', {
			cause: 'sandbox_full'
		});
	}
	if (fault instanceof StoreUnavailable) {
		return new ProtocolError('temporarily_unavailable', `${fault.message} Try again in a moment.`, {
			cause: 'store_unavailable',
			headers: ['Retry-After', '1']
		});
	}
	context.options.report?.(fault, context.id);
	return new ProtocolError(
		'server_error',
		`An internal error occurred. Report it to the operator with request ${context.id}.`,
		{ cause: 'internal_error' }
	);
}

/** Undefined: go on with the next check. A result: stop, and respond with it. */
type CheckResult = WireResult | undefined | void;

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
type SandboxCondition = (context: Pick<Context, 'dialect' | 'sandbox'>) => boolean;

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
