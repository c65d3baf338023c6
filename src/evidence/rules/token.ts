import type { Mark, ProbeId } from '#api/exam.ts';
import { checkOf, failedAt, issued } from '../exchanges.ts';
import type { Facts } from '../facts.ts';
import { advice, failed, judgeProbes, judgeWrong, notShown, passed } from '../judge.ts';
import { countOf, type Judgement, type Rule } from '../rule.ts';
import { marksOf, refreshTokensBefore, within, type Run } from '../run.ts';

const area = 'token';

const successful = (facts: readonly Facts[]): Facts[] => facts.filter(({ ok }) => ok);

/** Whether the service no longer accepted the token of a call. */
export const isDeadToken = ({ status, entry }: Facts): boolean =>
	status === 401 && (failedAt(entry, 'access_token.known') || failedAt(entry, 'access_token.not_revoked'));

/** Facts in groups, by a key. Those without one are left out. */
function groupBy(facts: readonly Facts[], keyOf: (one: Facts) => string | undefined): Map<string, Facts[]> {
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
function isEarly({ history }: Run, refresh: Facts, refused: readonly Facts[]): boolean {
	const { entry, begin } = refresh;
	const replaced = (history.grants.get(entry.grant ?? '') ?? []).findLast(
		({ event, entry: issuing }) =>
			event.kind === 'access_token' && event.family === entry.family && issuing.seq < entry.seq && issuing.at <= begin
	);
	if (replaced?.event.expires === undefined) return false;
	const { expires, id } = replaced.event;
	const left = (expires - begin) / (expires - replaced.entry.at);
	if (left <= 0.5 || (left <= 0.9 && history.usesOf(id).length > 1)) return false;
	return !refused.some(({ entry: { at } }) => at <= begin && at >= begin - 10_000);
}

const dueRefreshes = new WeakMap<Run, Judgement>();

/** Several rules need it, so a run is judged once. */
function judgeDueRefresh(run: Run): Judgement {
	const known = dueRefreshes.get(run) ?? findEarlyRefreshes(run);
	dueRefreshes.set(run, known);
	return known;
}

function findEarlyRefreshes(run: Run): Judgement {
	const refreshes = successful(run.refreshes);
	const refused = groupBy(
		run.calls.filter(({ status = 0 }) => [400, 401, 403].includes(status)),
		({ entry }) => entry.flow
	);
	const early = refreshes.filter((one) => isEarly(run, one, refused.get(one.entry.flow ?? '') ?? []));
	for (const ofGrant of groupBy(early, ({ entry }) => entry.grant).values())
		if (ofGrant.length >= 4) return failed(ofGrant);
	return passed(refreshes.filter((one) => !early.includes(one)));
}

/** Whether the client refreshes where no call was refused. */
const refreshesTooOften = (run: Run): boolean => judgeDueRefresh(run).verdict === 'failed';

/** The refreshes that can be reactions to refused calls: none of a client that also refreshes without them. */
export const reactingRefreshes = (run: Run): readonly Facts[] => (refreshesTooOften(run) ? [] : run.refreshes);

/** The first four or more calls with one token that were refused within two seconds. */
function parallelCalls(refused: readonly Facts[]): readonly Facts[] | undefined {
	const first = refused.find((one, at) => (refused[at + 3]?.entry.at ?? Infinity) - one.entry.at <= 2000);
	return first && refused.filter(({ entry }) => entry.at >= first.entry.at && entry.at - first.entry.at <= 2000);
}

function judgeOneRefresh(run: Run): Judgement {
	const found: {
		readonly calls: readonly Facts[];
		readonly refreshes: readonly Facts[];
		readonly mark: Mark | undefined;
	}[] = [];
	const refusedCalls = run.calls.filter(
		(call) => isDeadToken(call) && call.credential?.label.startsWith('access token')
	);
	for (const refused of groupBy(refusedCalls, ({ credential }) => credential?.id).values()) {
		const calls = parallelCalls(refused);
		const [first] = calls ?? [];
		if (calls === undefined || first === undefined) continue;
		const mark = run.marks.find(({ from, to }) => from <= first.entry.seq && first.entry.seq <= to);
		const candidates =
			mark === undefined
				? run.refreshes.filter(({ begin }) => begin <= first.entry.at + 10_000)
				: within(mark, run.refreshes);
		const refreshes = candidates.filter(
			({ ok, begin, entry }) => ok && entry.flow === first.entry.flow && begin >= first.begin
		);
		if (refreshes.length > 0) found.push({ calls, refreshes, mark });
	}
	const worst = found.sort((a, b) => b.refreshes.length - a.refreshes.length)[0];
	if (worst === undefined) return notShown;
	const { calls, refreshes, mark } = worst;
	const probe = mark === undefined ? {} : { probe: mark.probe };
	const text = parallelRefreshes(refreshes.length);
	if (refreshes.length >= 3) return failed(refreshes, { ...probe, text });
	return refreshes.length === 2 ? advice(refreshes, { ...probe, text }) : passed([...calls, ...refreshes], probe);
}

const parallelRefreshes = (count: number) => `${countOf(count, 'refresh', 'refreshes')} ran at once.`;

function judgeKeptToken({ refreshes }: Run): Judgement {
	const wrong = refreshes.filter(({ entry }) => failedAt(entry, 'token.refresh_token_present'));
	const repeated = [...groupBy(successful(refreshes), ({ credential }) => credential?.id).values()].filter(
		(same) => same.length >= 2
	);
	return judgeWrong(wrong, repeated.flat());
}

/** Whether the client works and has a refresh token before an exchange. */
function holds(run: Run, { entry: { seq } }: Facts): boolean {
	return refreshTokensBefore(run, seq).size > 0 && run.calls.some((call) => call.ok && call.entry.seq < seq);
}

const judgeSecondSignIn = (run: Run): Judgement =>
	judgeProbes(marksOf(run, 'second_sign_in'), (mark) => {
		const refused = within(mark, run.calls).filter(isDeadToken);
		const [first] = refused;
		if (first === undefined) return notShown;
		// Other users may have signed in before.
		const token = [...refreshTokensBefore(run, mark.from)].at(-1);
		const kept = within(mark, run.refreshes).filter(({ credential }) => credential?.id === token);
		if (token === undefined) return notShown;
		if (kept.length > 0) return passed(kept);
		return holds(run, first) ? failed(refused) : notShown;
	});

/** Judges whether a refresh follows the end of an access token. */
const judgeRefresh =
	(...probes: readonly ProbeId[]) =>
	(run: Run): Judgement =>
		judgeProbes(marksOf(run, ...probes), (mark) => {
			const refreshes = within(mark, run.refreshes);
			if (refreshes.length > 0) return passed(successful(refreshes));
			const refused = within(mark, run.calls).filter(isDeadToken);
			const [first] = refused;
			return first !== undefined && holds(run, first) ? failed(refused) : notShown;
		});

const judgeEndless = (run: Run): Judgement =>
	judgeProbes(marksOf(run, 'always_401'), (mark) => {
		const refreshes = within(mark, run.refreshes);
		const uses = mark.uses ?? within(mark, run.calls).length;
		// A refresh before every call is another mistake.
		const most = refreshesTooOften(run) ? 4 * uses : 2 * uses;
		return refreshes.length > most ? failed(refreshes) : passed(refreshes);
	});

const judgeDeadToken = (run: Run): Judgement =>
	judgeProbes(marksOf(run, 'user_revoked'), (mark) => {
		const refused = within(mark, run.refreshes).filter(({ status }) => status === 400);
		const signIns = within(mark, run.authorizations);
		// A new sign-in begins a new count.
		const countedBy = ({ credential, entry }: Facts) =>
			`${credential?.id ?? ''} ${signIns.filter((signIn) => signIn.entry.seq < entry.seq).length}`;
		const most = [...groupBy(refused, countedBy).values()].sort((a, b) => b.length - a.length)[0] ?? [];
		return most.length >= 4 ? failed(most) : passed(most);
	});

const judgeFailure = (run: Run): Judgement =>
	judgeProbes(marksOf(run, 'refresh_fails'), (mark) => {
		const refreshes = within(mark, run.refreshes);
		const first = refreshes.find(({ status }) => status === undefined || status >= 500);
		if (first === undefined) return notShown;
		const again = refreshes.filter(
			({ entry, credential }) => entry.seq > first.entry.seq && credential?.id === first.credential?.id
		);
		if (again.length > 0) return passed([first, ...again]);
		return (mark.uses ?? 0) >= 2 ? failed([first]) : notShown;
	});

function judgeScope({ refreshes }: Run): Judgement {
	const wrong = refreshes.filter(({ entry }) => checkOf(entry, 'token.scope_not_widened')?.cause === 'not_granted');
	return judgeWrong(
		wrong,
		refreshes.filter(({ entry }) => issued(entry, 'access_token') !== undefined)
	);
}

/** Rules about keeping and refreshing tokens. */
export const tokenRules: readonly Rule[] = [
	{
		id: 'token.refresh_when_due',
		area,
		title: 'Tokens are used until they nearly expire',
		severity: 2,
		needs: 'a refresh',
		sections: ['§ 5.4'],
		fix: 'Refresh in the last minute or tenth of the life, and save the new token.',
		failed: (count) => `${countOf(count, 'refresh', 'refreshes')} came too early.`,
		judge: judgeDueRefresh
	},
	{
		id: 'token.one_refresh',
		area,
		title: 'Parallel calls share one refresh',
		severity: 2,
		needs: 'four parallel calls with an expired token, and a refresh',
		sections: ['RFC 9700 §4.14'],
		fix: 'Let all calls wait for the refresh that runs already.',
		failed: parallelRefreshes,
		judge: judgeOneRefresh
	},
	{
		id: 'token.keep_refresh_token',
		area,
		title: 'The refresh token is kept',
		severity: 2,
		needs: 'two refreshes',
		sections: ['RFC 6749 §6'],
		fix: 'Keep the old refresh token if the response has none.',
		failed: () => 'A refresh had no refresh token.',
		judge: judgeKeptToken
	},
	{
		id: 'token.keep_at_second_sign_in',
		area,
		title: 'A second sign-in keeps the refresh token',
		severity: 3,
		needs: 'the exam with offline access',
		sections: ['§ 3.1'],
		fix: 'Write the refresh token only if the response has one.',
		failed: () => 'The refresh token was lost at the second sign-in.',
		judge: judgeSecondSignIn
	},
	{
		id: 'token.refresh_at_expiry',
		area,
		title: 'An expired token is refreshed',
		severity: 2,
		needs: 'the exam with offline access',
		sections: ['§ 3.1'],
		fix: 'Refresh once, then repeat the call.',
		failed: () => 'Calls got 401. No refresh followed.',
		judge: judgeRefresh('expired')
	},
	{
		id: 'token.notice_early_end',
		area,
		title: '401 counts more than the clock',
		severity: 2,
		needs: 'the exam with offline access',
		sections: ['RFC 6750 §3.1'],
		fix: 'Refresh at 401, even if the token should still be valid.',
		failed: () => 'A token ended early. No refresh followed.',
		judge: judgeRefresh('early_end')
	},
	{
		id: 'token.stop_after_refresh',
		area,
		title: 'A second 401 ends the call',
		severity: 2,
		needs: 'the exam with offline access',
		sections: ['RFC 6750 §3.1'],
		fix: 'Refresh once for a call, then report the error.',
		failed: (count) => `${countOf(count, 'refresh', 'refreshes')} followed calls that always got 401.`,
		judge: judgeEndless
	},
	{
		id: 'token.forget_dead',
		area,
		title: 'A dead refresh token is forgotten',
		severity: 2,
		needs: 'the exam with offline access',
		sections: ['RFC 6749 §5.2'],
		fix: 'Delete the refresh token at invalid_grant, and ask the user to sign in.',
		failed: (count) => `A revoked token was sent ${countOf(count, 'time')}.`,
		judge: judgeDeadToken
	},
	{
		id: 'token.keep_on_failure',
		area,
		title: 'A failing service ends no sign-in',
		severity: 2,
		needs: 'the exam with offline access',
		sections: ['RFC 6749 §5.2'],
		fix: 'Keep the refresh token after a 5xx or no response. Delete it at invalid_grant only.',
		failed: () => 'One failure ended the sign-in.',
		judge: judgeFailure
	},
	{
		id: 'token.scope_not_widened',
		area,
		title: 'A refresh asks for no new scope',
		severity: 2,
		needs: 'a refresh',
		sections: ['RFC 6749 §6'],
		fix: 'Leave scope out of refresh requests.',
		failed: () => 'A refresh asked for more than was granted.',
		judge: judgeScope
	}
];
