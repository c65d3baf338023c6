import type { Mark, ProbeId } from '#api/exam.ts';
import { checkOf, issued } from '../exchanges.ts';
import { queryParameter, type Facts } from '../facts.ts';
import { advice, failed, judgeProbes, judgeWrong, notShown, passed, passedStep } from '../judge.ts';
import { countOf, type Judgment, type RuleCode } from '../rule.ts';
import { marksOf, refreshTokensBefore, within, type ClientRun } from '../run.ts';
import {
	groupBy,
	isDeadToken,
	judgeEarlyRefresh,
	judgeKeptToken,
	judgeOneRefresh,
	refreshesTooOften,
	successful
} from './refreshes.ts';

/** Whether the client works and has a refresh token before an exchange. */
function holds(run: ClientRun, { entry: { seq } }: Facts): boolean {
	return refreshTokensBefore(run, seq).size > 0 && run.calls.some((call) => call.ok && call.entry.seq < seq);
}

const judgeSecondSignIn = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'second_sign_in'), (mark) => {
		const rejected = within(mark, run.calls).filter(isDeadToken);
		const [first] = rejected;
		if (first === undefined) return notShown;
		// Other users may have signed in before.
		const token = [...refreshTokensBefore(run, mark.from)].at(-1);
		const kept = within(mark, run.refreshes).filter(({ credential }) => credential?.id === token);
		if (token === undefined) return notShown;
		if (kept.length > 0) return passed(kept);
		return holds(run, first) && refreshesAtRejection(run, mark) ? failed(rejected) : notShown;
	});

/** Whether the client refreshes because a call got 401, outside of a mark. One that refreshes by its clock only keeps its tokens too. */
function refreshesAtRejection({ calls, refreshes }: ClientRun, { from, to }: Mark): boolean {
	const rejected = calls.filter(isDeadToken);
	return refreshes
		.filter(({ entry: { seq } }) => seq < from || seq > to)
		.some(({ begin, entry: { flow } }) =>
			rejected.some(({ entry }) => entry.flow === flow && entry.at <= begin && entry.at >= begin - 10_000)
		);
}

/** Whose grant a refresh has, after another user has signed in in the same browser. */
const judgeOtherUser = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'other_user'), (mark) => {
		const { otherUser } = mark;
		const grants = new Map(
			run.all.flatMap(({ entry }) => {
				const code = issued(entry, 'code');
				return code === undefined ? [] : [[code.grant, entry.username] as const];
			})
		);
		const refreshes = within(mark, successful(run.refreshes));
		if (otherUser === undefined || refreshes.length === 0) return notShown;
		const wrong = refreshes.filter(({ entry }) => (grants.get(entry.grant ?? '') ?? otherUser) !== otherUser);
		return wrong.length > 0 ? advice(wrong) : passed(refreshes);
	});

const stillWaits: Judgment = {
	...notShown,
	text: 'Not shown. In an earlier step, a refresh failed and your client sent no other while the exam waited. It may still wait.'
};

const signsInAgain: Judgment = {
	...notShown,
	text: 'Not shown. After a 401, your client began a new sign-in. It never refreshed, and asked for no offline access.'
};

/** Whether a client wants to refresh. Services of today’s standards issue refresh tokens to all. */
const asksOffline = ({ flows, refreshes }: ClientRun): boolean =>
	refreshes.length > 0 ||
	flows.some(
		({ request: { entry } }) =>
			queryParameter(entry, 'access_type') === 'offline' ||
			queryParameter(entry, 'scope')?.split(' ').includes('offline_access') === true
	);

/** Judges whether a refresh follows the end of an access token. */
const judgeRefresh =
	(...probes: readonly ProbeId[]) =>
	(run: ClientRun): Judgment =>
		judgeProbes(marksOf(run, ...probes), (mark) => {
			const refreshes = within(mark, run.refreshes);
			if (refreshes.length > 0) return passed(successful(refreshes));
			const rejected = within(mark, run.calls).filter(isDeadToken);
			const [first] = rejected;
			if (
				!asksOffline(run) &&
				within(mark, run.authorizations).some(({ entry }) => entry.seq > (first?.entry.seq ?? Infinity))
			)
				return signsInAgain;
			if (run.marks.some((before) => isBusy(before) && before.to < mark.from)) return stillWaits;
			return first !== undefined && holds(run, first) ? failed(rejected) : notShown;
		});

const judgeEndless = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'always_401'), (mark) => {
		const refreshes = within(mark, run.refreshes);
		const uses = mark.uses ?? within(mark, run.calls).length;
		// A queue repeats a job twice. A refresh before every call is another mistake.
		const most = (refreshesTooOften(run) ? 6 : 3) * uses;
		if (refreshes.length > most) return failed(refreshes);
		// A call, its limits, and both again with a new token.
		const calls = within(mark, run.calls).filter(({ status }) => status === 401);
		return mark.uses !== undefined && calls.length > 8 * mark.uses
			? failed(calls, { text: `${countOf(calls.length, 'call')} got 401 in ${countOf(mark.uses, 'use')}.` })
			: passedStep(mark, refreshes);
	});

const judgeDeadToken = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'user_revoked'), (mark) => {
		const rejected = within(mark, run.refreshes).filter(({ status }) => status === 400);
		const signIns = within(mark, run.authorizations);
		// A new sign-in begins a new count.
		const countedBy = ({ credential, entry }: Facts) =>
			`${credential?.id ?? ''} ${signIns.filter((signIn) => signIn.entry.seq < entry.seq).length}`;
		const most = [...groupBy(rejected, countedBy).values()].sort((a, b) => b.length - a.length)[0] ?? [];
		return most.length >= 4 ? failed(most) : passedStep(mark, most);
	});

/** Whether the page of the client responded with an error of a server until the exam no longer waited: the client may still wait. */
const isBusy = ({ waited }: Mark): boolean =>
	waited !== undefined && (waited.status === 0 || waited.status === 429 || waited.status >= 500);

/** The marks of a step as one. */
function joined(marks: readonly Mark[]): readonly Mark[] {
	const [first, last] = [marks[0], marks.at(-1)];
	if (first === undefined || last === undefined) return [];
	return [{ ...last, from: first.from, uses: marks.reduce((sum, { uses = 0 }) => sum + uses, 0) }];
}

/**
 * Judges whether another refresh follows one that failed. A client that waits before it tries again has not ended the sign-in.
 * @param what happened to the first one, as a sentence
 */
function judgeNextRefresh(run: ClientRun, mark: Mark, first: Facts, what: string): Judgment {
	const again = within(mark, run.refreshes).filter(
		({ entry, credential }) => entry.seq > first.entry.seq && credential?.id === first.credential?.id
	);
	if (again.length > 0) return passed([first, ...again]);
	if (mark.waited === undefined) return notShown;
	const { seconds, status } = mark.waited;
	const text = `${what} No other refresh followed in ${countOf(seconds, 'second')}`;
	if (!isBusy(mark))
		return failed([first], {
			text: status < 400 ? `${text}.` : `${text}, and the page of your client responded with ${status}.`
		});
	const page = status === 0 ? 'gave no response' : `responded with ${status}`;
	return { ...notShown, text: `Not shown. ${text}. The page of your client ${page}, so it may still wait.` };
}

const judgeFailure = (run: ClientRun): Judgment =>
	judgeProbes(joined(marksOf(run, 'refresh_fails')), (mark) => {
		const first = within(mark, run.refreshes).find(({ status }) => status === undefined || status >= 500);
		if (first === undefined) return notShown;
		return judgeNextRefresh(run, mark, first, 'A refresh failed.');
	});

/** An HTTP library may repeat a request five times. A client that sends more repeats it without an end. */
const mostTries = 6;
/** The uses of the client while responses are lost. */
const usesWithoutResponse = 2;

const judgeLostRefresh = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'lost_refresh'), (mark) => {
		const refreshes = within(mark, run.refreshes);
		const lost = refreshes.filter(({ status }) => status === undefined);
		const [first] = lost;
		if (first === undefined) return notShown;
		if (lost.length > mostTries * usesWithoutResponse) return failed(lost);
		const judgment = judgeNextRefresh(run, mark, first, 'The response of a refresh was lost.');
		// A client that gives up after any failure gets one finding for it.
		return judgment.verdict === 'failed' && judgeFailure(run).verdict === 'failed' ? notShown : judgment;
	});

function judgeScope({ refreshes }: ClientRun): Judgment {
	const wrong = refreshes.filter(({ entry }) => checkOf(entry, 'token.scope_not_widened')?.cause === 'not_granted');
	return judgeWrong(
		wrong,
		refreshes.filter(({ entry }) => issued(entry, 'access_token') !== undefined)
	);
}

/** Rules about keeping and refreshing tokens. */
export const tokenRules: readonly RuleCode[] = [
	{ id: 'token.refresh_when_due', severity: 2, judge: judgeEarlyRefresh },
	{ id: 'token.one_refresh', severity: 2, judge: judgeOneRefresh },
	{ id: 'token.keep_refresh_token', severity: 2, judge: judgeKeptToken },
	{ id: 'token.keep_at_second_sign_in', severity: 3, judge: judgeSecondSignIn },
	{ id: 'token.own_user', severity: undefined, judge: judgeOtherUser },
	{ id: 'token.refresh_at_expiry', severity: 2, judge: judgeRefresh('expired') },
	{ id: 'token.notice_early_end', severity: 2, judge: judgeRefresh('early_end') },
	{ id: 'token.stop_after_refresh', severity: 2, judge: judgeEndless },
	{ id: 'token.forget_dead', severity: 2, judge: judgeDeadToken },
	{ id: 'token.keep_on_failure', severity: 2, judge: judgeFailure },
	{ id: 'token.lost_refresh', severity: 2, judge: judgeLostRefresh },
	{ id: 'token.scope_not_widened', severity: 2, judge: judgeScope }
];
