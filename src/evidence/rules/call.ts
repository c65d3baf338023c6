import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Mark } from '#api/exam.ts';
import { decodePercent } from '#lib/percent.ts';
import { hidden } from '#api/redact.ts';
import { checkOf, failedAt, isTokenRequest } from '../exchanges.ts';
import { queryParameter, requestHeader, type Facts } from '../facts.ts';
import { failed, judgeProbes, judgeWrong, notShown, passed, passedStep } from '../judge.ts';
import { countOf, type Judgment, type RuleCode } from '../rule.ts';
import { marksOf, within, type ClientRun } from '../run.ts';
import { refreshesAfter, refreshesTooOften } from './refreshes.ts';

/** Whether the URL contains an access token, under whatever name. */
const hasTokenInUrl = (entry: TrafficEntry): boolean =>
	queryParameter(entry, 'access_token') !== undefined ||
	entry.references.some(
		({ pointer, value }) =>
			pointer === '/request/target' && entry.values[value]?.label.startsWith('access token') === true
	);

function judgeHeader({ calls }: ClientRun): Judgment {
	const wrong = calls.filter(
		({ entry }) => hasTokenInUrl(entry) && requestHeader(entry, 'sec-fetch-mode') !== 'navigate'
	);
	return judgeWrong(
		wrong,
		calls.filter(({ entry }) => requestHeader(entry, 'authorization') !== undefined)
	);
}

/** The last segment of the path, as it was sent. */
function sentName(target: string): string {
	const [path = ''] = target.split('?', 1);
	return path.slice(path.lastIndexOf('/') + 1);
}

function judgeName({ calls }: ClientRun): Judgment {
	const characters = calls.filter(({ entry }) => entry.endpoint === 'character');
	const wrong = characters.filter(({ entry, status }) => {
		const name = sentName(entry.request.target);
		return failedAt(entry, 'character.name_valid') || (status === 404 && /%25[\da-f]{2}|\+/i.test(name));
	});
	return judgeWrong(
		wrong,
		characters.filter(({ ok, entry }) => ok && sentName(entry.request.target).includes('%'))
	);
}

const mostRepeats = 4;
const unclearRefresh = 'Not shown. Your client also refreshes without need, so its refreshes after a 403 say nothing.';
const oneRefresh =
	'Not shown. A refresh followed a 403. Your client sent too few calls to show whether one follows each.';

const judgePermission = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'forbidden'), (mark) => {
		const forbidden = within(mark, run.calls).filter(({ status }) => status === 403);
		const refreshes = refreshesAfter(run, mark, (status) => status === 403);
		// A refresh before every call is another mistake.
		const isUnclear = refreshesTooOften(run);
		if (refreshes.length >= 2 && !isUnclear) return failed(refreshes);
		// Each use is one call, and few libraries repeat it at all.
		if (mark.uses !== undefined && forbidden.length > mostRepeats * mark.uses)
			return failed(forbidden, {
				text: `${countOf(forbidden.length, 'call')} got 403 in ${countOf(mark.uses, 'use')}.`
			});
		if (mark.isSignedOut === true) return failed(forbidden, { text: 'A 403 ended the sign-in.' });
		if (isUnclear && within(mark, run.refreshes).length > 0) return { ...notShown, text: unclearRefresh };
		if (refreshes.length > 0 && forbidden.length <= 2) return { ...notShown, text: oneRefresh };
		const signIns = within(mark, run.authorizations);
		const repeated = signIns.filter(({ entry }) => {
			const scope = queryParameter(entry, 'scope');
			return signIns.filter((other) => queryParameter(other.entry, 'scope') === scope).length >= 2;
		});
		if (forbidden.length > 0 && repeated.length > 0)
			return failed(repeated, { text: `${countOf(repeated.length, 'sign-in')} followed a 403.` });
		return passedStep(mark, forbidden);
	});

function judgeCredential({ calls }: ClientRun): Judgment {
	const wrong = calls.filter(
		({ entry, credential }) =>
			/^(?:refresh token|code) \d/.test(credential?.label ?? '') &&
			checkOf(entry, 'access_token.known')?.cause !== 'literal_nothing'
	);
	return judgeWrong(
		wrong,
		calls.filter(({ ok }) => ok)
	);
}

function judgeSecret({ calls }: ClientRun): Judgment {
	const wrong = calls.filter(({ entry }) => entry.values.some(({ label }) => label.startsWith('client secret')));
	return judgeWrong(
		wrong,
		calls.filter(({ entry, credential }) => credential !== undefined && !hasHiddenHeader(entry))
	);
}

/** The name that a call reads. */
function nameOf(entry: TrafficEntry): string {
	return decodePercent(sentName(entry.request.target), false) ?? '';
}

/** The exam reads each name for one user: the token of the call says whose data came. A client may read some names without being asked. */
function judgeUser(run: ClientRun): Judgment {
	// A refresh token of the user before, in the same browser, is another mistake.
	const isRefreshedIn = ({ from, otherUser }: Mark, { credential }: Facts) => {
		const issue = otherUser === undefined ? undefined : run.history.issueOf(credential?.id ?? '');
		return issue !== undefined && issue.entry.seq >= from && isTokenRequest(issue.entry, 'refresh_token');
	};
	const reads = run.marks.flatMap((mark) =>
		(mark.reads ?? []).map(({ name, username }) => {
			const calls = within(mark, run.calls).filter(({ ok, entry }) => ok && nameOf(entry) === name);
			const wrong = calls.filter((one) => one.entry.username !== undefined && !isRefreshedIn(mark, one));
			return { username, wrong, right: calls.filter(({ entry }) => entry.username === username) };
		})
	);
	const wrong = reads.flatMap((read) => (read.right.length > 0 ? [] : read.wrong));
	if (wrong.length > 0) return failed(wrong);
	const shown = reads.filter(({ right }) => right.length > 0);
	const users = new Set(shown.map(({ username }) => username));
	return users.size > 1 ? passed(shown.flatMap(({ right }) => right)) : notShown;
}

/** Whether a header has a value that the log hides. It may be the secret. */
const hasHiddenHeader = ({ request }: TrafficEntry): boolean =>
	request.headers.some(([name, value]) => value === hidden && !/^(?:cookie|authorization)$/i.test(name));

/** Rules about requests for resources. */
export const callRules: readonly RuleCode[] = [
	{ id: 'call.header', severity: 2, judge: judgeHeader },
	{ id: 'call.name_encoded', severity: 2, judge: judgeName },
	{ id: 'call.missing_permission', severity: 2, judge: judgePermission },
	{ id: 'call.right_credential', severity: 1, judge: judgeCredential },
	{ id: 'call.no_secret', severity: 1, judge: judgeSecret },
	{ id: 'call.own_user', severity: 1, judge: judgeUser }
];
