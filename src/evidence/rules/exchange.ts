import type { TrafficEntry } from '#api/control/traffic.ts';
import { checkOf, failedAt, isUsed, parameter, passed as passedAt } from '../exchanges.ts';
import { hasHiddenParameter, queryParameter, requestHeader, withoutRepeats, type Facts } from '../facts.ts';
import { failed, judgeProbes, judgeWrong, notShown, passed, stoppedWorking } from '../judge.ts';
import type { Judgment, RuleCode } from '../rule.ts';
import { callsWith, marksOf, within, type ClientRun } from '../run.ts';

const secrets = ['client_secret', 'code', 'refresh_token', 'code_verifier'];
/** The checks that say that a value is no value. */
const valueChecks = ['token.code_known', 'token.refresh_token_known', 'access_token.known'];

/** The exchanges of each code. */
function byCode(exchanges: readonly Facts[]): Facts[][] {
	const codes = new Map<string, Facts[]>();
	for (const exchange of exchanges) {
		const id = exchange.credential?.id;
		if (id === undefined) continue;
		const same = codes.get(id);
		if (same === undefined) codes.set(id, [exchange]);
		else same.push(exchange);
	}
	return [...codes.values()];
}

function judgeOnce({ exchanges }: ClientRun): Judgment {
	const worked: Facts[] = [];
	for (const same of byCode(exchanges)) {
		const first = same.find(({ ok }) => ok);
		if (first === undefined) continue;
		const repeated = same.some(
			(other) => other !== first && (other.entry.seq > first.entry.seq || other.begin > first.begin)
		);
		if (repeated) return failed(same);
		worked.push(first);
	}
	return passed(worked);
}

function judgeRedirectUri({ exchanges, delivered }: ClientRun): Judgment {
	const check = 'token.redirect_uri_matches';
	const own = exchanges.filter(({ credential }) => !delivered.has(credential?.id ?? ''));
	return judgeWrong(
		own.filter(({ entry }) => failedAt(entry, check)),
		own.filter(({ entry }) => passedAt(entry, check)),
		2
	);
}

function judgeForm({ tokenRequests }: ClientRun): Judgment {
	const check = 'token.form_is_valid';
	const wrong = tokenRequests.filter(({ entry }) =>
		['wrong_content_type', 'wrong_charset'].includes(checkOf(entry, check)?.cause ?? '')
	);
	return judgeWrong(
		wrong,
		tokenRequests.filter(({ entry }) => passedAt(entry, check)),
		2
	);
}

/** Whether a page of another site sent the request. The service's own demo client is a page of its origin. */
function isFromPage({ entry }: Facts): boolean {
	const site = requestHeader(entry, 'sec-fetch-site');
	if (site !== undefined) return site !== 'same-origin';
	return hasForeignOrigin(entry) && requestHeader(entry, 'user-agent')?.startsWith('Mozilla/') === true;
}

/** Pages send this header, and so do some servers: that of SvelteKit does. */
function hasForeignOrigin(entry: TrafficEntry): boolean {
	const origin = requestHeader(entry, 'origin');
	return origin !== undefined && origin.replace(/^https?:\/\//, '') !== requestHeader(entry, 'host');
}

const originAlone: Judgment = {
	...notShown,
	text: 'Not shown. The token requests have the header Origin, but nothing else that shows a browser. Some servers send it, too.'
};

/** Whether a token request has the client secret, in its form or by HTTP Basic. */
const hasSecret = (entry: TrafficEntry): boolean =>
	parameter(entry, 'client_secret') !== undefined || requestHeader(entry, 'authorization') !== undefined;

function judgeSecretOnServer(run: ClientRun): Judgment {
	const withSecret = run.tokenRequests.filter(({ entry }) => run.kindOf(entry.client_id) === 'web' && hasSecret(entry));
	const { secretIn } = run.marks.find((mark) => mark.secretIn !== undefined) ?? {};
	if (secretIn !== undefined)
		return failed(run.exchanges.slice(0, 1), {
			text: `${secretIn} of your client contains the client secret.`,
			fix: 'Remove the secret from what your server sends to browsers.'
		});
	const wrong = withSecret.filter(isFromPage);
	const right = withSecret.filter(({ entry }) => !hasForeignOrigin(entry));
	return wrong.length === 0 && right.length === 0 && withSecret.length > 0 ? originAlone : judgeWrong(wrong, right);
}

function judgeBody({ tokenRequests }: ClientRun): Judgment {
	const wrong = tokenRequests.filter(({ entry }) => secrets.some((name) => queryParameter(entry, name) !== undefined));
	return judgeWrong(
		wrong,
		tokenRequests.filter(({ entry }) => entry.request.body !== '' && !hasHiddenParameter(entry))
	);
}

function judgeValues({ tokenRequests, calls }: ClientRun): Judgment {
	const requests = [...tokenRequests, ...calls];
	for (const request of requests) {
		for (const check of valueChecks) {
			const line = checkOf(request.entry, check);
			if (line?.cause === 'blank_around') return failed([request], { text: 'A value had blanks around it.' });
			if (line?.cause === 'literal_nothing')
				return failed([request], { text: `Your client sent the text ${line.found ?? 'undefined'}.` });
		}
		if (failedAt(request.entry, 'token.code_present') && parameter(request.entry, 'code') === '')
			return failed([request], { text: 'Your client sent an empty code.' });
	}
	return passed(requests.filter(({ ok }) => ok));
}

const judgeLostExchange = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'lost_exchange'), (mark) => {
		const tries =
			byCode(within(mark, run.exchanges))
				.map(withoutRepeats)
				.sort((a, b) => b.length - a.length)[0] ?? [];
		return tries.length > 3 ? failed(tries) : passed(tries);
	});

const judgeExtraFields = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'extra_fields'), (mark) => {
		const exchanged = within(mark, run.exchanges).filter(({ ok }) => ok);
		const called = exchanged.flatMap((exchange) => callsWith(run, exchange));
		if (called.length > 0) return passed(called);
		const [usual] = run.exchanges.filter(({ ok, entry }) => ok && entry.seq > mark.to);
		const [call] = usual === undefined ? [] : callsWith(run, usual);
		// A client that may have the response already sends no call, whatever the token response was.
		return call === undefined || mark.uses === 0 || wasRead(run, call) ? notShown : failed(exchanged);
	});

/** How long a client may keep a response, in milliseconds, with some reserve. */
const cacheTime = 90_000;

/** Whether the target of a call was read before, by any user, such that a shared cache may have it. */
const wasRead = ({ calls }: ClientRun, { entry, begin }: Facts): boolean =>
	calls.some(
		(before) =>
			before.entry.seq < entry.seq &&
			before.entry.request.target === entry.request.target &&
			before.entry.at > begin - cacheTime
	);

const judgeStatus = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'refused_exchange'), (mark) => {
		const rejected = within(mark, run.exchanges).filter(({ ok }) => !ok);
		const [first] = rejected;
		if (first === undefined) return notShown;
		const wrong = within(mark, run.calls).filter(
			({ entry, credential }) =>
				entry.seq > first.entry.seq && !isUsed(entry) && run.history.issueOf(credential?.id ?? '') === undefined
		);
		if (wrong.length > 0) return failed(wrong);
		return mark.aliveAfter === false ? stoppedWorking : passed(rejected);
	});

/** Rules about the exchange of a code, and about token requests in general. */
export const exchangeRules: readonly RuleCode[] = [
	{ id: 'exchange.once', severity: 2, judge: judgeOnce },
	{ id: 'exchange.redirect_uri_same', severity: 2, judge: judgeRedirectUri },
	{ id: 'exchange.form', severity: 2, judge: judgeForm },
	{ id: 'exchange.secret_on_server', severity: 1, judge: judgeSecretOnServer },
	{ id: 'exchange.in_body', severity: 1, judge: judgeBody },
	{ id: 'exchange.real_values', severity: 2, judge: judgeValues },
	{ id: 'exchange.one_try', severity: 3, judge: judgeLostExchange },
	{ id: 'exchange.extra_fields', severity: 2, judge: judgeExtraFields },
	{ id: 'exchange.status', severity: 2, judge: judgeStatus }
];
