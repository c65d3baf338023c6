import type { Mark, ProbeId } from '#api/exam.ts';
import { checkOf, contains, issuedCode } from '../exchanges.ts';
import { queryParameter, requestHeader, type Facts } from '../facts.ts';
import { advice, failed, judgeProbes, notShown, passed, stoppedWorking } from '../judge.ts';
import { countOf, type Judgment, type RuleCode } from '../rule.ts';
import { callsWith, marksOf, within, type ClientRun } from '../run.ts';

/** How a code can arrive changed, by the cause of the check, in words. */
const changes: Readonly<Record<string, string>> = {
	decoded_twice: 'it was decoded twice',
	not_decoded: 'it was not decoded',
	plus_as_space: 'a plus sign became a space',
	cut: 'its end is missing',
	changed: 'some of its characters differ'
};

/** What the client did before a mark: it shows that the client works, where the right thing is to send nothing. */
const signInsBefore = ({ exchanges }: ClientRun, { from }: Mark): Facts[] =>
	exchanges.filter(({ ok, entry }) => ok && entry.seq < from).slice(-1);

/** The first sign-in that worked after a probe. */
const signInsAfter = ({ exchanges }: ClientRun, { to }: Mark): Facts[] =>
	exchanges.filter(({ ok, entry }) => ok && entry.seq > to).slice(0, 1);

/** Judges a probe in which a good client sends nothing. It passes only if the client works after it. */
export function judgeRejection(run: ClientRun, mark: Mark): Judgment {
	if (mark.aliveAfter === false) return stoppedWorking;
	if (mark.aliveAfter === undefined) return notShown;
	const after = signInsAfter(run, mark);
	return passed(after.length > 0 ? after : signInsBefore(run, mark));
}

/** What stopped the code of an attacker that the client sent, by the check that rejected it. Undefined: nothing is known to have. */
function stoppedBy({ entry }: Facts): string | undefined {
	const check = entry.trace.findLast(({ outcome }) => outcome === 'failed');
	if (check === undefined || entry.response === null || entry.response.status >= 500) return undefined;
	return check.id === 'token.code_verifier_matches'
		? 'PKCE stopped it: the code verifier is not that of this code.'
		: `The check ${check.id}, “${check.name}”, stopped it.`;
}

const sentAllTheSame = 'Your client sent the code to the service all the same.';

/** Judges whether the client took the code of an attacker. */
function judgeDelivery(run: ClientRun, mark: Mark): Judgment {
	const { code } = mark;
	if (code === undefined) return notShown;
	const sent = run.tokenRequests.filter(({ entry }) => contains(entry, code));
	const taken = sent.filter(({ ok }) => ok);
	if (taken.some((exchange) => callsWith(run, exchange).length > 0) || !run.flows.some(({ hasNonce }) => hasNonce)) {
		if (taken.length > 0) return failed(taken);
	} else if (taken.length > 0) {
		// A nonce in the ID token is compared after the exchange.
		const what =
			(mark.uses ?? 0) > 0
				? 'No call had the token: the nonce stopped it.'
				: 'The exam did not use the client, so it cannot tell whether the ID token was rejected.';
		return advice(taken, { text: `${what} ${sentAllTheSame}` });
	}
	const reason = sent.map(stoppedBy).find((one) => one !== undefined);
	if (reason !== undefined) return advice(sent, { text: `${reason} ${sentAllTheSame}` });
	if (sent.length > 0)
		return {
			...notShown,
			text: 'Not shown. Your client sent the code of an attacker, and the service did not judge it.'
		};
	return judgeRejection(run, mark);
}

const judgeDeliveries =
	(...probes: readonly ProbeId[]) =>
	(run: ClientRun): Judgment =>
		judgeProbes(marksOf(run, ...probes), (mark) => judgeDelivery(run, mark));

function judgeUsedState(run: ClientRun): Judgment {
	const judgment = judgeDeliveries('used_state')(run);
	const withPkce = run.flows.some(({ challenge }) => challenge !== undefined);
	return judgment.verdict === 'failed' && !withPkce ? { ...judgment, severity: 1 } : judgment;
}

const judgeDenial = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'denied'), (mark) => {
		// A code that was issued belongs to another sign-in.
		const sent = within(mark, run.tokenRequests).filter(
			({ kind, ok, credential }) => kind !== 'refresh' && !ok && run.history.issueOf(credential?.id ?? '') === undefined
		);
		if (sent.length > 0) return failed(sent);
		const [, ...again] = within(mark, run.authorizations);
		// A user may try twice.
		if (again.length >= 3) return failed(again, { text: startedAgain(again.length) });
		return judgeRejection(run, mark);
	});

const startedAgain = (count: number) => `The sign-in began again ${countOf(count, 'time')} after access_denied.`;

const judgeExtraParameters = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'extra'), (mark) => {
		const callbacks = within(mark, run.all).filter(({ entry }) => issuedCode(entry));
		// A slow client exchanges the code after the step.
		const flows = callbacks.map(({ entry }) => entry.flow);
		const exchanged = run.exchanges.filter(({ ok, entry }) => ok && flows.includes(entry.flow));
		if (exchanged.length > 0) return passed(exchanged);
		if (mark.aliveAfter === false) return stoppedWorking;
		return mark.aliveAfter === true ? failed(callbacks) : notShown;
	});

const judgeHardCode = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'hard_code'), (mark) => {
		const sent = within(mark, run.exchanges);
		for (const one of sent) {
			const change = changes[checkOf(one.entry, 'token.code_known')?.cause ?? ''];
			if (change !== undefined) return failed([one], { text: `The code arrived changed: ${change}.` });
		}
		return passed(sent.filter(({ ok }) => ok));
	});

const judgeErrorText = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'error_text'), (mark) => {
		const loaded = within(mark, run.all).filter(
			({ entry }) =>
				entry.endpoint === 'ratelimiting' &&
				queryParameter(entry, 'canary') !== undefined &&
				requestHeader(entry, 'sec-fetch-dest') === 'image'
		);
		if (loaded.length > 0) return failed(loaded);
		// The link of an attacker comes from no service: the sign-in before it shows that the page has such texts.
		const responses = run.all.filter(({ entry }) => entry.endpoint === 'auth' && entry.seq <= mark.to).slice(-1);
		const { errorText, errorField = 'error_description' } = mark;
		if (errorText === undefined) return notShown;
		if (errorText === 'escaped') return passed(responses);
		const text = errorTexts[errorText].replace('error_description', errorField);
		return errorText === 'absent' || errorText === 'cut' ? { ...notShown, text } : failed(responses, { text });
	});

/** What a page did with the description of an error. */
const errorTexts = {
	absent: 'Not shown. The page after an error does not contain error_description.',
	cut: 'Not shown. The page after an error contains the start of error_description only.',
	tag: 'Your page rendered error_description as HTML.',
	attribute: 'error_description ended an attribute of your page, and added another one.',
	script: 'error_description ended a string in a script of your page.',
	code: 'error_description is code in a script of your page, outside of a string.',
	markup: 'A script of your page writes error_description to the page as HTML.',
	link: 'error_description became the address of a link, which runs it as a script.'
} as const;

/** Rules about authorization responses. */
export const callbackRules: readonly RuleCode[] = [
	{ id: 'callback.foreign_code', severity: 1, judge: judgeDeliveries('unsolicited', 'wrong_state') },
	{ id: 'callback.state_required', severity: 1, judge: judgeDeliveries('no_state', 'nothing') },
	{ id: 'callback.state_of_browser', severity: 1, judge: judgeDeliveries('other_browser') },
	{ id: 'callback.state_once', severity: 2, judge: judgeUsedState },
	{ id: 'callback.denial', severity: 2, judge: judgeDenial },
	{ id: 'callback.extra_parameters', severity: 2, judge: judgeExtraParameters },
	{ id: 'callback.hard_code', severity: 2, judge: judgeHardCode },
	{ id: 'callback.error_escaped', severity: 1, judge: judgeErrorText }
];
