import { defaultSettings } from '#api/control/settings.ts';
import { type LimitAlgorithm, limitAlgorithms, longestLog } from '#api/limit-algorithm.ts';
import { patternOfKind } from '#api/world/record-values.ts';
import type { RateLimitRecord } from '#api/protocol/rate-limits.ts';
import { check, type Check } from '../core/runner.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { algorithms, type Decision, type LimitPolicy, type LimitState, type LimitView } from '../limits/algorithms.ts';
import { limitHeaders, overLimit, rateLimitFields, readingText } from './limit-headers.ts';
import type { RateLimitWindow } from '../sandbox/records.ts';
import type { Kind } from '../world/world.ts';
import { addressHeader } from '../address/client-address.ts';
import { displayDuration, rateLimitDate } from '../core/time.ts';
import { blacklistAddress, ownerOfVirtual } from './blacklist.ts';
import { delayResponse } from './fault-responses.ts';
import { decodePercent } from '#lib/percent.ts';
import { findKind, isWrite, recordIdOf } from '../core/kind-of-request.ts';
import { findTestCard } from '../sandbox/test-cards.ts';

const limitedResources = ['character', 'ratelimits'] as const;
/** What has a limit: a resource of the specification, or a kind of the world. */
export type LimitedResource = (typeof limitedResources)[number] | Kind;

const patterns = {
	character: '/ws/v2.0/character/*',
	ratelimits: '/ws/v2.0/ratelimits'
} as const;

/**
 * Counts the request for its address, and rejects it over the limit (specification, sections 3.3 and 8). Every response from here
 * on has the four headers. Rejected requests count toward the blacklist.
 */
export function enforceRateLimit<C extends Context>(limited: LimitedResource | ((context: C) => Kind)): Check<C> {
	return check<C>('rate_limit.not_exceeded', async (context) => {
		const resource = typeof limited === 'function' ? limited(context) : limited;
		const { limits, limit_algorithm: algorithm } = context.sandbox.state.settings;
		const [now, policy, cost] = [context.now(), policyOf(context, resource), requestCost(context)];
		const { take, view: viewState } = algorithms[algorithm];
		let before: LimitState | undefined;
		let decision: Decision | undefined;
		const kept = algorithm === 'fixed_window' ? {} : { algorithm };
		Object.assign(context.trace.at(-1) ?? {}, kept);
		const window = await context.store.update(
			'rate_limit_window',
			windowKey(resource, context.clientAddress),
			(known) => {
				before = stateOf(known, algorithm);
				decision = take(before, policy, now, cost);
				return {
					...(known === undefined ? ownerOfVirtual(context) : ownerOf(known)),
					...kept,
					...decision.state,
					refused: decision.isAccepted ? 0 : (known?.refused ?? 0) + 1
				};
			}
		);
		const isAccepted = decision?.isAccepted !== false;
		const view = viewState(stateOf(window, algorithm), policy, now, isAccepted ? 1 : cost);
		const record = recordOf(context, resource, view);
		context.headers.push(...limitHeaders(record), ...rateLimitFields(context, nameOf(resource), policy, view));
		context.headers.push(addressHeader, context.clientAddress);
		const { count = 1, refused: rejected = 0 } = window ?? {};
		if (algorithm === 'fixed_window' && cost === 1) {
			context.note(`Request ${count} of ${policy.limit} for ${context.clientAddress}`);
			context.compare(`request ${count} of this window`, [
				`at most ${policy.limit} requests until ${record.reset_time}`
			]);
		} else {
			const { remaining } = viewState(before, policy, now);
			context.note(`${readingText(algorithm, before, policy, now)}, for ${context.clientAddress}`);
			context.compare(
				cost === 1 ? '1 request' : `a request that counts as ${cost}`,
				remaining > 0 ? [`at most ${remaining} now`] : [`1 from ${record.reset_time} on`]
			);
		}
		if (isAccepted) {
			const { delay = 0 } = decision ?? {};
			if (delay > 0) await delayResponse(context, delay);
			return;
		}
		const isBlacklisted = rejected >= limits.blacklist_after_refused;
		if (isBlacklisted) {
			const duration = displayDuration(limits.window);
			await blacklistAddress(context, `${rejected} requests to ${record.pattern} over the limit within ${duration}`);
		}
		throw new ProtocolError(
			'rate_limit_exceeded',
			`Rate limit exceeded: ${usedText(algorithm, policy, cost)}. Wait until ${record.reset_time}. After ${limits.blacklist_after_refused} rejected requests in one window the address is blacklisted.`,
			{
				...overLimit(context, view.reset, nameOf(resource), isBlacklisted),
				cause: isBlacklisted ? 'now_blacklisted' : 'over_limit'
			}
		);
	});
}

/** Takes back what a successful request counted as, where only errors count. A sliding log keeps it. */
export async function uncountSuccess(context: Context): Promise<void> {
	if (context.dialect.rateLimit?.counts !== 'errors') return;
	const key = windowKey('character', context.clientAddress);
	await context.store.update('rate_limit_window', key, (known) => known && { ...known, count: known.count - 1 });
}

/** Why a request is over the limit. */
function usedText(algorithm: LimitAlgorithm, { limit, window }: LimitPolicy, cost: number): string {
	if (cost > 1) return `this request counts as ${cost}, and fewer are left`;
	if (algorithm === 'fixed_window') return `all ${limit} requests of this window are used`;
	return `no request is left (${limitAlgorithms[algorithm]}, ${limit} requests in ${displayDuration(window / 1000)})`;
}

/**
 * Rejects a request as over the limit. Counts nothing.
 * @throws ProtocolError `rate_limit_exceeded`, after it has set the four headers
 */
export async function rejectAsOverLimit(
	context: Context,
	resource: LimitedResource,
	description: string
): Promise<never> {
	const found = viewOf(context, resource, await findWindow(context, resource));
	// As if none were left until the reset.
	const view = { remaining: 0, reset: found.reset, more: found.reset };
	const fields = rateLimitFields(context, nameOf(resource), policyOf(context, resource), view);
	context.headers.push(...limitHeaders(recordOf(context, resource, view)), ...fields);
	throw new ProtocolError('rate_limit_exceeded', description, overLimit(context, view.reset, nameOf(resource)));
}

/** The rate limit records of an address. Counts nothing. */
export async function rateLimitRecords(context: Context): Promise<RateLimitRecord[]> {
	const records: RateLimitRecord[] = [];
	for (const resource of limitedIn(context)) records.push(await findRecord(context, resource));
	return records;
}

async function findRecord(context: Context, resource: LimitedResource): Promise<RateLimitRecord> {
	return recordOf(context, resource, viewOf(context, resource, await findWindow(context, resource)));
}

async function findWindow(context: Context, resource: LimitedResource): Promise<RateLimitWindow | undefined> {
	return context.store.get('rate_limit_window', windowKey(resource, context.clientAddress));
}

/** What has a limit in a sandbox. */
export function limitedIn({ sandbox }: Pick<Context, 'sandbox'>): readonly LimitedResource[] {
	return [...limitedResources, ...sandbox.seed.world.kinds];
}

/** The name in the keys of windows and of policies. */
export function nameOf(resource: LimitedResource): string {
	return typeof resource === 'string' ? resource : resource.name;
}

/** The pattern in rate limit records. */
export function patternOf(resource: LimitedResource): string {
	return typeof resource === 'string' ? patterns[resource] : patternOfKind(resource.name);
}

/** The key of the window of a resource and an address. */
export function windowKey(resource: LimitedResource, address: string): string {
	return `${nameOf(resource)} ${address}`;
}

function ownerOf({ createdBy }: RateLimitWindow): Pick<RateLimitWindow, 'createdBy'> {
	return createdBy === undefined ? {} : { createdBy };
}

/** The limit of a resource: as the sandbox is set, or where it is not, as the provider says. A log has an end. */
function policyOf({ sandbox, dialect: { rateLimit } }: Context, resource: LimitedResource): LimitPolicy {
	const { limits, limit_algorithm: algorithm } = sandbox.state.settings;
	const isOwn = resource === 'character' && limits.character === defaultSettings.limits.character;
	const own = isOwn ? rateLimit : undefined;
	const most = own?.requests ?? (typeof resource === 'string' ? limits[resource] : resource.limit);
	const window = own?.window ?? limits.window;
	return { limit: algorithm === 'sliding_log' ? Math.min(most, longestLog) : most, window: window * 1000 };
}

/** What an algorithm knows. Nothing where another one counted before. */
function stateOf(window: RateLimitWindow | undefined, algorithm: LimitAlgorithm): LimitState | undefined {
	return window === undefined || (window.algorithm ?? 'fixed_window') === algorithm ? window : undefined;
}

function viewOf(context: Context, resource: LimitedResource, window: RateLimitWindow | undefined): LimitView {
	const { limit_algorithm: algorithm } = context.sandbox.state.settings;
	return algorithms[algorithm].view(stateOf(window, algorithm), policyOf(context, resource), context.now());
}

/** The limit of a record is what is left at the reset: what the algorithm accepts at once. */
function recordOf(
	context: Context,
	resource: LimitedResource,
	view: Pick<LimitView, 'remaining' | 'reset'>
): RateLimitRecord {
	const { limit_algorithm: algorithm } = context.sandbox.state.settings;
	const reset = Math.ceil(view.reset / 1000);
	return {
		pattern: patternOf(resource),
		limit: algorithms[algorithm].capacity(policyOf(context, resource)),
		remaining: view.remaining,
		reset,
		reset_time: rateLimitDate(reset)
	};
}

/** What follows `/ws/v2.0/character/` in the path of a request. */
export function nameSegment({ path }: Context): string {
	return path.replace(/\/$/, '').split('/').slice(4).join('/');
}

/** The name of a character that a path ends with; undefined where it is malformed or more than one segment. */
export function readNameSegment(context: Context): string | undefined {
	const segment = nameSegment(context);
	return segment.includes('/') ? undefined : decodePercent(segment, false);
}

/** How many requests this one counts as: more than one for the slow test card, where the sandbox says so, and what the world says of its kinds. */
function requestCost(context: Context): number {
	const kind = findKind(context);
	if (kind !== undefined)
		return kind.cost[isWrite(context) ? 'write' : recordIdOf(context) === undefined ? 'list' : 'item'];
	const { slow_cost: cost } = context.sandbox.state.settings.limits;
	if (cost === 1 || context.route.name !== 'character') return 1;
	return findTestCard(context, 'character', readNameSegment(context))?.outcome === 'slow' ? cost : 1;
}
