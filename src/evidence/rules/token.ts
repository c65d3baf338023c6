import type { Mark, ProbeId } from '#api/exam.ts';
import { checkOf, issued } from '../exchanges.ts';
import type { Facts } from '../facts.ts';
import { advice, failed, judgeProbes, judgeWrong, notShown, passed } from '../judge.ts';
import { countOf, type Judgment, type Rule } from '../rule.ts';
import { marksOf, refreshTokensBefore, within, type ClientRun } from '../run.ts';
import {
	groupBy,
	isDeadToken,
	judgeEarlyRefresh,
	judgeKeptToken,
	judgeOneRefresh,
	parallelRefreshes,
	refreshesTooOften,
	successful
} from './refreshes.ts';

const area = 'token';
/** What a rule needs where each sign-in gets a refresh token. */
const withRefreshToken = 'the exam with a refresh token';
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

/** Judges whether a refresh follows the end of an access token. */
const judgeRefresh =
	(...probes: readonly ProbeId[]) =>
	(run: ClientRun): Judgment =>
		judgeProbes(marksOf(run, ...probes), (mark) => {
			const refreshes = within(mark, run.refreshes);
			if (refreshes.length > 0) return passed(successful(refreshes));
			const rejected = within(mark, run.calls).filter(isDeadToken);
			const [first] = rejected;
			if (run.marks.some((before) => isBusy(before) && before.to < mark.from)) return stillWaits;
			return first !== undefined && holds(run, first) ? failed(rejected) : notShown;
		});

const judgeEndless = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'always_401'), (mark) => {
		const refreshes = within(mark, run.refreshes);
		const uses = mark.uses ?? within(mark, run.calls).length;
		// A queue repeats a job twice. A refresh before every call is another mistake.
		const most = (refreshesTooOften(run) ? 6 : 3) * uses;
		return refreshes.length > most ? failed(refreshes) : passed(refreshes);
	});

const judgeDeadToken = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'user_revoked'), (mark) => {
		const rejected = within(mark, run.refreshes).filter(({ status }) => status === 400);
		const signIns = within(mark, run.authorizations);
		// A new sign-in begins a new count.
		const countedBy = ({ credential, entry }: Facts) =>
			`${credential?.id ?? ''} ${signIns.filter((signIn) => signIn.entry.seq < entry.seq).length}`;
		const most = [...groupBy(rejected, countedBy).values()].sort((a, b) => b.length - a.length)[0] ?? [];
		return most.length >= 4 ? failed(most) : passed(most);
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
		judge: judgeEarlyRefresh,
		standard: { sections: ['RFC 6749 §1.5'] }
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
		judge: judgeOneRefresh,
		standard: { sections: ['RFC 9700 §4.14.2'] }
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
		judge: judgeKeptToken,
		standard: {
			sections: ['RFC 9700 §4.14.2'],
			fix: 'Save the refresh token of each response. It replaces the one that you sent.'
		}
	},
	{
		id: 'token.keep_at_second_sign_in',
		area,
		title: 'A second sign-in keeps the refresh token',
		severity: 3,
		needs: 'the exam with offline access, and a refresh after a 401',
		sections: ['§ 3.1'],
		fix: 'If the response has no refresh token, keep the one of the same user.',
		failed: () => 'The refresh token was lost at the second sign-in.',
		judge: judgeSecondSignIn,
		standard: { leftOut: 'Each sign-in gets a refresh token.' }
	},
	{
		id: 'token.own_user',
		area,
		title: 'A refresh is for the user who signed in last',
		severity: undefined,
		needs: 'the exam with offline access, and a refresh after a 401',
		sections: ['§ 3.1'],
		fix: 'Keep the refresh token of the same user only. Sign the first user out before another one signs in.',
		failed: () => 'After another user had signed in, a refresh had the token of the first one.',
		judge: judgeOtherUser,
		standard: { needs: withRefreshToken, sections: ['RFC 6749 §1.5'] }
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
		judge: judgeRefresh('expired'),
		standard: { needs: withRefreshToken, sections: ['RFC 6749 §1.5'] }
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
		judge: judgeRefresh('early_end'),
		standard: { needs: withRefreshToken }
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
		judge: judgeEndless,
		standard: { needs: withRefreshToken }
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
		judge: judgeDeadToken,
		standard: { needs: withRefreshToken }
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
		judge: judgeFailure,
		standard: { needs: withRefreshToken }
	},
	{
		id: 'token.lost_refresh',
		area,
		title: 'A lost refresh is sent again, a few times at most',
		severity: 2,
		needs: 'the exam with offline access',
		sections: ['RFC 6749 §6'],
		fix: 'Send a refresh without a response once more. At invalid_grant, ask the user to sign in.',
		failed: (count) => `${countOf(count, 'refresh', 'refreshes')} got no response, one after another.`,
		judge: judgeLostRefresh,
		standard: { needs: withRefreshToken, sections: ['RFC 9700 §4.14.2'] }
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
