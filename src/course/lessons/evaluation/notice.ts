import type { TrafficEntry } from '#api/control/traffic.ts';
import { timeText } from '#lib/time-text.ts';
import {
	algorithmOf,
	checkOf,
	failedAt,
	isResourceRequest,
	issued,
	passed,
	succeeded,
	userOf
} from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import type { StageStep, Tool } from '../stage.ts';
import type { Evidence } from './condition.ts';
import type { Result } from './evaluate.ts';
import { isOverLimit } from './limit-exchanges.ts';
import { asksFor, isDecision, isDenied, isMessage, isPage, type Step } from './step.ts';

/** What one press does about a mistake. */
export type Repair =
	/** Ends the session of a user at the service. `step`: then opens the step that gets what the sign-in has used up. */
	| { readonly kind: 'sign-out'; readonly user: string; readonly step?: number }
	| { readonly kind: 'open-step'; readonly step: number }
	/** Moves the clock, in milliseconds since 1970. `isOpened`: one request opens the next window. */
	| { readonly kind: 'new-window'; readonly until: number; readonly isOpened: boolean };

/** Why the newest request of the open step does not show it. */
export type Notice = {
	readonly kind: 'denied' | 'other-user' | 'mistake' | 'spent' | 'window';
	/** The state, in a few words. */
	readonly title: string;
	readonly text: string;
	/** The newest request of the step. */
	readonly cause: TrafficEntry;
	readonly repair?: Repair;
};

/** What a request of a step uses up, and the step that gets another one. */
export type Spends = {
	readonly what: 'code' | 'reference' | 'device code' | 'proof' | 'assertion' | 'refresh token' | 'access token';
	readonly from: number;
};

/** What a control gets. */
const gets: Readonly<Record<Spends['what'], (tool: Tool) => boolean>> = {
	code: (tool) => tool.kind === 'companion' || isRequest(tool, 'authorization'),
	reference: (tool) => isRequest(tool, 'pushed'),
	'device code': (tool) => isRequest(tool, 'device_authorization'),
	proof: (tool) => tool.kind === 'request' && tool.sets?.['DPoP'] === 'new',
	assertion: (tool) => tool.kind === 'request' && tool.sets?.['client_assertion'] === 'new',
	'refresh token': (tool) => tool.kind === 'sign-in' || isRequest(tool, 'exchange'),
	// Its code works once, so the way to another one begins with the sign-in.
	'access token': (tool) => tool.kind === 'sign-in' || isRequest(tool, 'authorization')
};

const isRequest = (tool: Tool, request: string) => tool.kind === 'request' && tool.request === request;

/** What a control uses up. */
function spentBy(tool: Tool): Spends['what'] | undefined {
	if (tool.kind === 'device') return 'device code';
	if (tool.kind === 'refresh' || tool.kind === 'sign-out') return 'refresh token';
	if (tool.kind !== 'request') return undefined;
	const { request, sets = {} } = tool;
	if (request === 'exchange') return 'code';
	if (request === 'device_poll') return 'device code';
	if (request === 'refresh' || request === 'revoke') return 'refresh token';
	if (request === 'token_exchange' || request === 'character') return 'access token';
	if (sets['request_uri'] !== undefined) return 'reference';
	if (sets['DPoP'] === 'again') return 'proof';
	return sets['client_assertion'] === 'again' ? 'assertion' : undefined;
}

/** What the request of a step uses up, which its controls declare. Undefined where it uses up nothing, or the window of a rate limit. */
export function spendsOf(steps: readonly StageStep[], index: number): Spends | undefined {
	for (const tool of steps[index]?.tools ?? []) {
		const what = spentBy(tool);
		const from = what === undefined ? -1 : steps.slice(0, index).findLastIndex(({ tools }) => tools.some(gets[what]));
		if (what !== undefined && from >= 0) return { what, from };
	}
	return undefined;
}

/** How long the requests of one press may take, in milliseconds. */
const burstTime = 10_000;

/** How far from the reset a burst may be, in milliseconds. */
export const edge = 600_000;

const isUndecided = (entry: TrafficEntry) => checkOf(entry, 'token.device_user_decided')?.cause === 'undecided';
const endsCode = ({ credentials }: TrafficEntry) =>
	credentials.some((event) => event.type === 'ended' && event.kind === 'code');

/** Whether a request shows that what it sent no longer works. */
const isSpent: Readonly<Record<Spends['what'], (entry: TrafficEntry) => boolean>> = {
	code: (entry) =>
		!succeeded(entry) &&
		(endsCode(entry) || ['not_used', 'known', 'not_expired'].some((check) => failedAt(entry, `token.code_${check}`))),
	reference: (entry) => failedAt(entry, 'auth.request_uri_valid'),
	'device code': (entry) =>
		failedAt(entry, 'token.device_code_known') || (failedAt(entry, 'token.device_user_decided') && !isUndecided(entry)),
	// The page that was loaded again has lost it, and sent none.
	proof: (entry) => failedAt(entry, 'dpop.proof_readable'),
	assertion: (entry) => failedAt(entry, 'client_assertion.time_valid'),
	'refresh token': (entry) =>
		['known', 'active', 'not_used'].some((check) => failedAt(entry, `token.refresh_token_${check}`)),
	'access token': (entry) =>
		['token.subject_token_active', 'access_token.known', 'access_token.not_revoked'].some((check) =>
			failedAt(entry, check)
		)
};

/**
 * Why what the learner sent last does not show the open step. Undefined before the learner sent anything in it, where no cause is known,
 * and where the state has changed since.
 * @param changedAfter number of the newest exchange when the learner changed something at the service: its clock, a key or a session
 */
export function noticeFor(
	steps: readonly Step[],
	{ missing, shown }: Pick<Result, 'missing' | 'shown'>,
	{ entries, entered = [] }: Pick<Evidence, 'entries'> & Partial<Evidence>,
	changedAfter = 0
): Notice | undefined {
	const open = steps.find(({ isDone }) => !isDone);
	// A wrong value has its reason at its field.
	if (open === undefined || missing === undefined || 'field' in missing) return undefined;
	const data = steps.map((step) => step.data);
	const spends = spendsOf(data, open.index);
	const context = (cause: TrafficEntry) => ({
		before: entries.filter(({ seq }) => seq < cause.seq),
		since: open.attempts.filter(({ seq }) => seq < cause.seq),
		shown: (id: string) => entries.filter((entry) => shown[id]?.includes(entry.id) === true),
		entered
	});
	const newest = open.entries.findLast((entry) =>
		steps.every((step) => step === open || !step.attempts.includes(entry))
	);
	const why = newest && missing.why?.(newest, context(newest));
	const cause = why === undefined ? open.attempts.at(-1) : newest;
	if (cause === undefined || cause.seq <= changedAfter) return undefined;
	// What was sent since for another step may have changed what this one says.
	const isOld = entries.some(
		(entry) => entry.seq > cause.seq && isMessage(entry) && data.some((step) => asksFor(step, entry))
	);
	// Pages on the way to a decision are no attempt.
	const isDecided =
		passed(cause, 'device.decided') || (cause.endpoint === 'account' && cause.request.method === 'POST');
	if (isOld || (isPage(cause) && !isDecision(cause) && !isDecided && why === undefined)) return undefined;
	const usedUp =
		spends === undefined || /^(?:code|access token)$/.test(spends.what) ? '' : ` The ${spends.what} is used up.`;
	const again: Repair | undefined = usedUp === '' || !spends ? undefined : { kind: 'open-step', step: spends.from };
	if (isDenied(cause))
		return {
			...{ kind: 'denied', title: 'You denied access', cause, ...(again && { repair: again }) },
			text: `The application got nothing.${usedUp === '' ? ' Sign in again, and allow it.' : usedUp}`
		};
	const [user, who] = [missing.user, userOf(cause, context(cause).before)];
	const isOther = user !== undefined && who !== undefined && who !== user;
	if (isOther && isResourceRequest(cause)) {
		const step = data.slice(0, open.index).findLastIndex(({ tools }) => tools.some(gets['access token']));
		return {
			...{ kind: 'other-user', title: `This access token is of ${who}`, cause },
			text: `This step needs ${user}.`,
			...(step >= 0 && { repair: { kind: 'sign-out', user: who, step } })
		};
	}
	if (isOther && (issued(cause, 'code') ?? issued(cause, 'access_token') ?? isDecided))
		return {
			...{ kind: 'other-user', title: `You signed in as ${who}`, cause },
			text: `This step needs ${user}.${usedUp}`,
			repair: { kind: 'sign-out', user: who, ...(usedUp !== '' && spends && { step: spends.from }) }
		};
	if (why !== undefined) return { kind: 'mistake', title: 'Not yet', text: why, cause };
	if (spends?.what === 'device code' && isUndecided(cause)) {
		const step = data.slice(0, open.index).findLastIndex(({ tools }) => tools.some(({ kind }) => kind === 'device'));
		if (step >= 0)
			return {
				...{ kind: 'spent', title: 'The user has not decided', cause, repair: { kind: 'open-step', step } },
				text: 'These codes are newer than the ones that the user allowed.'
			};
	}
	if (spends !== undefined && isSpent[spends.what](cause))
		return {
			...{ kind: 'spent', title: `This ${spends.what} does not work`, cause },
			text: 'The response says why. Get another one.',
			repair: { kind: 'open-step', step: spends.from }
		};
	if ((spends?.what === 'proof' || spends?.what === 'assertion') && succeeded(cause))
		return {
			...{
				kind: 'spent',
				title: `This ${spends.what} was new`,
				cause,
				repair: { kind: 'open-step', step: spends.from }
			},
			text: 'It was accepted, because it was not sent before. Send one, then send it again here.'
		};
	return windowNotice(steps, open, cause, entries);
}

/** How many minutes from the reset a step moves the clock, where it does. */
const minutesOf = ({ tools }: StageStep) =>
	tools.flatMap((tool) => (tool.kind === 'limit' && tool.action === 'move' ? [tool.minutes] : []))[0] ?? 0;

/** The window of a rate limit is used up, where the step needs an accepted request, or its burst came too late. */
function windowNotice(
	steps: readonly Step[],
	{ index, data, attempts }: Step,
	cause: TrafficEntry,
	entries: readonly TrafficEntry[]
): Notice | undefined {
	const uses = (tool: Tool) =>
		tool.kind === 'load'
			? tool.mode !== 'untilBlacklisted'
			: tool.kind === 'limit' && tool.action === 'send' && tool.address === undefined;
	const limit = rateLimitOf(cause);
	if (!data.tools.some(uses) || limit === undefined) return undefined;
	// Requests that were sent at once are recorded in any order.
	const window = attempts.filter(
		(entry) => rateLimitOf(entry)?.reset === limit.reset || (isOverLimit(entry) && cause.at - entry.at < burstTime)
	);
	const remaining = Math.min(...window.flatMap((entry) => rateLimitOf(entry)?.remaining ?? []));
	const minutes = minutesOf(data);
	const burst = steps.findLast((step) => step.index < index && minutesOf(step.data) < 0);
	const last = burst?.attempts.at(-1);
	if (!isOverLimit(cause) && minutes > 0 && burst !== undefined && last !== undefined && cause.at - last.at > edge)
		return {
			...{ kind: 'window', title: 'The burst before is too old', cause },
			text: `It was sent at ${timeText(last.at)}, and this one at ${timeText(cause.at)}. Send both around one reset.`,
			repair: { kind: 'open-step', step: burst.index }
		};
	if (!window.some(isOverLimit)) return undefined;
	const resets = entries.flatMap((entry) => {
		const reset =
			entry.endpoint === 'character' && entry.address === cause.address ? rateLimitOf(entry)?.reset : undefined;
		return reset === undefined || algorithmOf(entry) !== algorithmOf(cause) ? [] : [reset * 1000];
	});
	const isBefore = minutes < 0;
	const later = resets.filter((reset) => reset > cause.at);
	// A burst before the reset needs a whole window. Any other one needs the next request to be accepted.
	const until = (isBefore ? Math.max(...later) : Math.min(...later)) + 1000;
	if (!Number.isFinite(until)) return undefined;
	return {
		...{ kind: 'window', cause, repair: { kind: 'new-window', until, isOpened: isBefore } },
		title: remaining === 0 ? 'This window is used up' : 'Too little of this window is left',
		text: `${remaining} of ${limit.limit} requests are left until ${timeText(limit.reset * 1000)}.`
	};
}
