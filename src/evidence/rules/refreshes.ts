import type { Mark } from '#api/exam.ts';
import type { CredentialHistory } from '../credential-history.ts';
import { checkOf, failedAt, isTokenRequest } from '../exchanges.ts';
import { isReaction, type Facts } from '../facts.ts';
import { advice, cutOff, failed, judgeProbes, judgeWrong, notShown, passed } from '../judge.ts';
import { countOf, type Judgment } from '../rule.ts';
import { marksOf, within, type ClientRun } from '../run.ts';

/** A client that still sends a replaced refresh token so long after the refresh has not kept the new one, in milliseconds. */
const keptOld = 250;

/** Those that got no error. */
export const successful = (facts: readonly Facts[]): Facts[] => facts.filter(({ ok }) => ok);

/** Whether the service no longer accepted the token of a call. */
export const isDeadToken = ({ status, entry }: Facts): boolean =>
	status === 401 && (failedAt(entry, 'access_token.known') || failedAt(entry, 'access_token.not_revoked'));

/** Facts in groups, by a key. Those without one are left out. */
export function groupBy(facts: readonly Facts[], keyOf: (one: Facts) => string | undefined): Map<string, Facts[]> {
	const groups = new Map<string, Facts[]>();
	for (const one of facts) {
		const key = keyOf(one);
		if (key === undefined) continue;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [one]);
		else group.push(one);
	}
	return groups;
}

/** Whether the client replaced a token that it had hardly used: by time, or over half of its life left and used at most once. */
function isEarly({ history }: ClientRun, refresh: Facts, rejected: readonly Facts[]): boolean {
	const { entry, begin } = refresh;
	const replaced = (history.grants.get(entry.grant ?? '') ?? []).findLast(
		({ event, entry: issuing }) =>
			event.kind === 'access_token' && event.family === entry.family && issuing.seq < entry.seq && issuing.at <= begin
	);
	if (replaced?.event.expires === undefined) return false;
	const { expires, id } = replaced.event;
	const left = (expires - begin) / (expires - replaced.entry.at);
	if (left <= 0.5 || (left <= 0.9 && history.usesOf(id).length > 1)) return false;
	return !rejected.some(({ entry: { at } }) => at <= begin && at >= begin - 10_000);
}

const dueRefreshes = new WeakMap<ClientRun, Judgment>();

/** Several rules need it, so a run is judged once. */
function judgeDueRefresh(run: ClientRun): Judgment {
	const known = dueRefreshes.get(run) ?? findEarlyRefreshes(run);
	dueRefreshes.set(run, known);
	return known;
}

/** The refreshes of a step that follow calls with a status. */
export function refreshesAfter(run: ClientRun, mark: Mark, isCause: (status: number) => boolean): Facts[] {
	const calls = within(mark, run.calls);
	const causes = calls.filter(({ status }) => status !== undefined && isCause(status));
	return within(mark, run.refreshes).filter((refresh) => causes.some((call) => isReaction(refresh, call, calls)));
}

/** Judges whether tokens are replaced early: without a reason, or because the service fails. */
export function judgeEarlyRefresh(run: ClientRun): Judgment {
	const due = judgeDueRefresh(run);
	if (due.verdict === 'failed') return due;
	const failing = judgeProbes(marksOf(run, 'unavailable'), (mark) => {
		const refreshes = refreshesAfter(run, mark, (status) => status >= 500);
		const seen = `${countOf(refreshes.length, 'refresh', 'refreshes')} followed calls that got 503`;
		// One may be by chance.
		if (refreshes.length < 2)
			return mark.isCutOff === true ? cutOff(`${seen}, and two would show a mistake.`) : notShown;
		const text = `${seen}.`;
		return failed(refreshes, {
			text,
			fix: 'Refresh at 401 only. At a 503, send the call again later, with the same token.'
		});
	});
	return failing.text === undefined ? due : failing;
}

function findEarlyRefreshes(run: ClientRun): Judgment {
	const refreshes = successful(run.refreshes);
	const rejected = groupBy(
		run.calls.filter(({ status = 0 }) => [400, 401, 403, 429].includes(status)),
		({ entry }) => entry.flow
	);
	const early = refreshes.filter((one) => isEarly(run, one, rejected.get(one.entry.flow ?? '') ?? []));
	for (const ofGrant of groupBy(early, ({ entry }) => entry.grant).values())
		if (ofGrant.length >= 4) return failed(ofGrant);
	return passed(refreshes.filter((one) => !early.includes(one)));
}

/** Whether the client refreshes where no call was rejected. */
export const refreshesTooOften = (run: ClientRun): boolean => judgeDueRefresh(run).verdict === 'failed';

/** The refreshes that can be reactions to rejected calls: none of a client that also refreshes without them. */
export const reactingRefreshes = (run: ClientRun): readonly Facts[] => (refreshesTooOften(run) ? [] : run.refreshes);

/** Whether a refresh sent a token that an earlier one had replaced, or one at the same time. */
const isReplay = ({ entry }: Facts): boolean =>
	failedAt(entry, 'token.refresh_token_not_used') || checkOf(entry, 'token.refreshed')?.cause === 'already_used';

/** Whether a refresh sent a token that an earlier one had replaced and that still worked, for a client that lost the response or has several processes. */
const isInGrace = ({ entry, credential }: Facts, history: CredentialHistory): boolean =>
	checkOf(entry, 'token.refresh_token_not_used')?.outcome === 'passed' &&
	history
		.endsOf(credential?.id ?? '')
		.some((end) => end.event.id === credential?.id && end.event.reason === 'exchanged' && end.entry.seq < entry.seq);

/** The first four or more calls with one token that were rejected within two seconds. */
function parallelCalls(rejected: readonly Facts[]): readonly Facts[] | undefined {
	const first = rejected.find((one, at) => (rejected[at + 3]?.entry.at ?? Infinity) - one.entry.at <= 2000);
	return first && rejected.filter(({ entry }) => entry.at >= first.entry.at && entry.at - first.entry.at <= 2000);
}

/** After a refresh, a separate call had the old token, and led to another refresh: the client forgot the new one. */
function unsavedToken(run: ClientRun): Judgment | undefined {
	const marks = marksOf(run, 'early_end');
	for (const [at, begun] of marks.entries()) {
		// The later call has a separate mark, before which no token ended.
		const next = marks[at + 1];
		const mark = next !== undefined && next.ended === undefined ? { ...begun, to: next.to } : begun;
		const refreshes = within(mark, successful(run.refreshes));
		const [first] = refreshes;
		if (first === undefined) continue;
		const calls = within(mark, run.calls);
		const requests = [...calls, ...refreshes];
		const isAlone = ({ begin, entry: { seq } }: Facts) =>
			requests.every(({ entry }) => entry.seq >= seq || entry.at < begin - keptOld);
		// The exam may end a token after a refresh: that is a new one.
		const isOld = ({ credential, entry: { seq } }: Facts) =>
			seq > first.entry.seq &&
			calls.some(
				(call) => call.entry.seq < first.entry.seq && isDeadToken(call) && call.credential?.id === credential?.id
			);
		const late = calls.find(
			(call) => isDeadToken(call) && call.entry.flow === first.entry.flow && isOld(call) && isAlone(call)
		);
		const again = late && refreshes.find((one) => one.begin >= late.entry.at && isReaction(one, late, calls));
		// A worker that had the old token loads the new one, and refreshes no more.
		if (late === undefined || again === undefined) continue;
		return failed([first, late, again], {
			probe: mark.probe,
			text: 'A refresh worked, and a later call had the old token again.',
			fix: 'Save the new access token of each refresh where the next request reads it.'
		});
	}
	return undefined;
}

/** Whether a refresh came after a call whose token a refresh had issued since, and which was rejected, too: it has another reason. */
const followsNewToken = ({ calls, history }: ClientRun, refresh: Facts, first: Facts): boolean =>
	calls.some((call) => {
		const issue = history.issueOf(call.credential?.id ?? '');
		const isNew =
			issue !== undefined && issue.entry.seq > first.entry.seq && isTokenRequest(issue.entry, 'refresh_token');
		return isNew && isDeadToken(call) && call.entry.at <= refresh.begin && call.entry.seq < refresh.entry.seq;
	});

/** Judges whether calls that were rejected at the same time led to one refresh. */
export function judgeOneRefresh(run: ClientRun): Judgment {
	const forgotten = unsavedToken(run);
	if (forgotten !== undefined) return forgotten;
	const found: {
		readonly calls: readonly Facts[];
		readonly refreshes: readonly Facts[];
		readonly mark: Mark | undefined;
	}[] = [];
	const rejectedCalls = run.calls.filter(
		(call) => isDeadToken(call) && call.credential?.label.startsWith('access token')
	);
	for (const rejected of groupBy(rejectedCalls, ({ credential }) => credential?.id).values()) {
		const calls = parallelCalls(rejected);
		const [first] = calls ?? [];
		if (calls === undefined || first === undefined) continue;
		const mark = run.marks.find(({ from, to }) => from <= first.entry.seq && first.entry.seq <= to);
		const candidates =
			mark === undefined
				? run.refreshes.filter(({ begin }) => begin <= first.entry.at + 10_000)
				: within(mark, run.refreshes);
		const sent = candidates.filter(
			(one) => one.entry.flow === first.entry.flow && one.begin >= first.begin && !followsNewToken(run, one, first)
		);
		// Where each refresh replaces the token, one succeeds. Another ends the access.
		const refreshes = sent.some(isReplay) ? sent : successful(sent);
		if (refreshes.length > 0) found.push({ calls, refreshes, mark });
	}
	const worst = found.sort((a, b) => b.refreshes.length - a.refreshes.length)[0];
	if (worst === undefined) return notShown;
	const { calls, refreshes, mark } = worst;
	const probe = mark === undefined ? {} : { probe: mark.probe };
	if (refreshes.length >= 3 || refreshes.some(isReplay)) return failed(refreshes, probe);
	return refreshes.length === 2 ? advice(refreshes, probe) : passed([...calls, ...refreshes], probe);
}

/** Judges whether the client has the latest refresh token at each refresh. */
export function judgeKeptToken({ refreshes, history }: ClientRun): Judgment {
	const worked = successful(refreshes);
	const missing = refreshes.filter(({ entry }) => failedAt(entry, 'token.refresh_token_present'));
	const byToken = groupBy(worked, ({ credential }) => credential?.id);
	const old = refreshes.filter((one) => {
		const [first] = byToken.get(one.credential?.id ?? '') ?? [];
		// One that was under way is a parallel refresh.
		return first !== undefined && (isReplay(one) || isInGrace(one, history)) && one.begin > first.entry.at + keptOld;
	});
	if (missing.length === 0 && old.length > 0) return failed(old, { text: 'A refresh sent a token that was replaced.' });
	const repeated = [...byToken.values()].filter((same) => same.length >= 2);
	const replaced = worked.filter(({ credential }) => {
		const issue = history.issueOf(credential?.id ?? '');
		return issue !== undefined && isTokenRequest(issue.entry, 'refresh_token');
	});
	return judgeWrong(missing, [...repeated.flat(), ...replaced]);
}
