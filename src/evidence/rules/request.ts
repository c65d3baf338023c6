import { checkOf, failedAt, parameter, passed as passedAt } from '../exchanges.ts';
import { hasHiddenParameter, queryParameter, requestHeader, type Facts } from '../facts.ts';
import { advice, failed, judgeWrong, notShown, passed } from '../judge.ts';
import { countOf, type Judgment, type RuleCode } from '../rule.ts';
import { areSeparate, inTwoBrowsers, lacksChallenge, type Flow, type ClientRun } from '../run.ts';
import { groupBy as groupFacts } from './refreshes.ts';

const readable = ['json', 'url', 'email', 'credential'];
const scriptModes = ['cors', 'no-cors', 'same-origin'];
const frameDestinations = ['iframe', 'frame', 'image', 'empty'];

const requestsOf = (flows: readonly Flow[]): Facts[] => flows.map(({ request }) => request);

/** Whether PKCE or a nonce binds the code to the sign-in, so that a code of another browser is rejected. */
const isBound = ({ challenge, hasNonce }: Flow) => challenge !== undefined || hasNonce;

/** The sign-ins that share a value, by the value. */
function groupBy(flows: readonly Flow[], keyOf: (flow: Flow) => string | undefined): Flow[][] {
	const groups = new Map<string, Flow[]>();
	for (const flow of flows) {
		const key = keyOf(flow);
		if (key === undefined) continue;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [flow]);
		else group.push(flow);
	}
	return [...groups.values()];
}

/** Judges a state that repeats or can be guessed: PKCE protects the sign-in all the same. */
const weakState = (flows: readonly Flow[], more: { readonly count?: number } = {}): Judgment =>
	(flows.every(isBound) ? advice : failed)(requestsOf(flows), more);

function judgeProtection({ flows, authorizations, kindOf }: ClientRun): Judgment {
	// Installed clients have a rule for it.
	const rejected = authorizations.filter((one) => lacksChallenge(one) && kindOf(one.entry.client_id) !== 'installed');
	if (rejected.length >= 2)
		return failed(rejected, {
			text: `${countOf(rejected.length, 'sign-in')} had no code challenge of the method S256.`
		});
	const open = flows.filter((flow) => flow.state === undefined && !isBound(flow));
	const right = requestsOf(flows.filter((flow) => !open.includes(flow)));
	const byHand = open.filter(({ outOfBand }) => outOfBand);
	const byRedirect = open.filter(({ outOfBand }) => !outOfBand);
	if (byRedirect.length >= 2) return failed(requestsOf(byRedirect));
	if (byHand.length >= 2) return advice(requestsOf(byHand));
	return right.length >= 2 ? passed(right) : notShown;
}

function judgeFreshState(run: ClientRun): Judgment {
	const flows = run.flows.filter(({ state }) => state !== undefined);
	const repeated = groupBy(flows, ({ state }) => state?.id).find(
		(same) => same.length >= (inTwoBrowsers(run, same) ? 3 : 2) && areSeparate(run, same)
	);
	if (repeated !== undefined) return weakState(repeated);
	return flows.length >= 3 ? passed(requestsOf(flows)) : notShown;
}

function judgeRandomState({ flows }: ClientRun): Judgment {
	const states = groupBy(flows, ({ state }) => state?.id).flatMap(([flow]) => flow ?? []);
	const bits = states.flatMap(({ state }) => state?.bits ?? []);
	if (bits.length < 3) return notShown;
	const most = Math.max(...bits);
	return most < 64 ? weakState(states, { count: most }) : passed(requestsOf(states));
}

function judgePrivateState({ flows }: ClientRun): Judgment {
	const withForm = flows.filter(({ state }) => state?.form !== undefined);
	const open = withForm.filter(({ state }) => readable.includes(state?.form ?? ''));
	const secret = open.filter(({ state }) => state?.form === 'credential');
	if (secret.length > 0) return failed(requestsOf(secret), { severity: 1, text: 'The state is a credential.' });
	return judgeWrong(requestsOf(open), requestsOf(withForm));
}

function judgeStateAndVerifier({ flows, exchanges }: ClientRun): Judgment {
	const both = flows.filter(({ state, challenge }) => state !== undefined && challenge !== undefined);
	const same = both.filter(({ state, challenge }) => state?.id === challenge);
	const byFlow = groupFacts(exchanges, ({ entry: { flow } }) => flow);
	// The state is in one request, the verifier in the other.
	const withExchange = ({ request }: Flow) => [request, ...(byFlow.get(request.entry.flow ?? '') ?? [])];
	return judgeWrong(same.flatMap(withExchange), both.flatMap(withExchange));
}

function judgeFreshChallenge(run: ClientRun): Judgment {
	const flows = run.flows.filter(({ challenge }) => challenge !== undefined);
	const groups = groupBy(flows, ({ challenge }) => challenge);
	const repeated = groups.find((same) => same.length >= 2 && areSeparate(run, same));
	if (repeated !== undefined) return failed(requestsOf(repeated));
	return flows.length >= 2 ? passed(requestsOf(flows)) : notShown;
}

function judgeFreshNonce(run: ClientRun): Judgment {
	const flows = run.flows.filter(({ hasNonce }) => hasNonce);
	const repeated = groupBy(flows, ({ nonce }) => nonce).find((same) => same.length >= 2 && areSeparate(run, same));
	if (repeated === undefined) return flows.length >= 2 ? passed(requestsOf(flows)) : notShown;
	// A code challenge binds the code all the same.
	const isProtected = repeated.every(({ challenge }) => challenge !== undefined);
	return (isProtected ? advice : failed)(requestsOf(repeated));
}

function judgeScope({ flows }: ClientRun): Judgment {
	const requests = requestsOf(flows);
	const writing = requests.filter(({ entry }) =>
		queryParameter(entry, 'scope')?.split(' ').includes('character_write')
	);
	return writing.length > 0 ? advice(writing) : passed(requests);
}

function judgeRedirectUri({ authorizations }: ClientRun): Judgment {
	const check = 'auth.redirect_uri_registered';
	const wrong = authorizations.filter(
		({ entry }) => failedAt(entry, check) && checkOf(entry, check)?.cause === 'not_registered'
	);
	return judgeWrong(
		wrong,
		authorizations.filter(({ entry }) => passedAt(entry, check)),
		3
	);
}

function judgeSecret({ all, authorizations }: ClientRun): Judgment {
	const wrong = all.filter(({ entry }) => entry.endpoint === 'auth' && parameter(entry, 'client_secret') !== undefined);
	return judgeWrong(
		wrong,
		authorizations.filter(({ entry }) => !hasHiddenParameter(entry))
	);
}

function judgeNavigation({ opened }: ClientRun): Judgment {
	const sent = opened.filter(({ entry }) => requestHeader(entry, 'sec-purpose') === undefined);
	const wrong = sent.filter(({ entry }) => {
		const destination = requestHeader(entry, 'sec-fetch-dest') ?? '';
		const byScript = scriptModes.includes(requestHeader(entry, 'sec-fetch-mode') ?? '');
		return frameDestinations.includes(destination) || (byScript && destination !== 'document');
	});
	return judgeWrong(
		wrong,
		sent.filter(({ entry }) => requestHeader(entry, 'sec-fetch-mode') === 'navigate')
	);
}

/** Rules about authorization requests. */
export const requestRules: readonly RuleCode[] = [
	{ id: 'request.protected', severity: 1, judge: judgeProtection },
	{ id: 'request.state_fresh', severity: 1, judge: judgeFreshState },
	{ id: 'request.state_random', severity: 1, judge: judgeRandomState },
	{ id: 'request.state_private', severity: 2, judge: judgePrivateState },
	{ id: 'request.state_not_verifier', severity: 1, judge: judgeStateAndVerifier },
	{ id: 'request.challenge_fresh', severity: 1, judge: judgeFreshChallenge },
	{ id: 'request.nonce_fresh', dialect: 'standard', severity: 1, judge: judgeFreshNonce },
	{ id: 'request.scope_needed', severity: undefined, judge: judgeScope },
	{ id: 'request.redirect_uri_exact', severity: 3, judge: judgeRedirectUri },
	{ id: 'request.no_secret', severity: 1, judge: judgeSecret },
	{ id: 'request.navigated', severity: 2, judge: judgeNavigation }
];
