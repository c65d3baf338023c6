import { checkOf, failedAt, parameter, passed as passedAt } from '../exchanges.ts';
import { queryParameter, requestHeader, type Facts } from '../facts.ts';
import { advice, failed, judgeWrong, notShown, passed } from '../judge.ts';
import { countOf, type Judgment, type Rule } from '../rule.ts';
import { areSeparate, inTwoBrowsers, lacksChallenge, type Flow, type ClientRun } from '../run.ts';
import { groupBy as groupFacts } from './refreshes.ts';

const area = 'request';
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
const weakState = (flows: readonly Flow[], text: string): Judgment =>
	(flows.every(isBound) ? advice : failed)(requestsOf(flows), { text });

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
	if (repeated !== undefined) return weakState(repeated, sameState(repeated.length));
	return flows.length >= 3 ? passed(requestsOf(flows)) : notShown;
}

const sameState = (count: number) => `${countOf(count, 'sign-in')} had the same state.`;

function judgeRandomState({ flows }: ClientRun): Judgment {
	const states = groupBy(flows, ({ state }) => state?.id).flatMap(([flow]) => flow ?? []);
	const bits = states.flatMap(({ state }) => state?.bits ?? []);
	if (bits.length < 3) return notShown;
	const most = Math.max(...bits);
	return most < 64 ? weakState(states, fewBits(most)) : passed(requestsOf(states));
}

const fewBits = (bits: number) => `The state has about ${countOf(bits, 'bit')}.`;

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
	return judgeWrong(wrong, authorizations);
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
export const requestRules: readonly Rule[] = [
	{
		id: 'request.protected',
		area,
		title: 'Sign-ins are protected',
		severity: 1,
		needs: 'two sign-ins',
		sections: ['RFC 6749 §10.12'],
		fix: 'Create a random state for each sign-in, compare it at the callback, and use PKCE.',
		failed: (count) => `${countOf(count, 'sign-in')} had neither a state nor a code challenge.`,
		judge: judgeProtection,
		standard: {
			sections: ['RFC 9700 §2.1.1'],
			fix: 'Send a code_challenge with the method S256 in each sign-in, and the code_verifier with the code.'
		}
	},
	{
		id: 'request.state_fresh',
		area,
		title: 'Each sign-in has its own state',
		severity: 1,
		needs: 'three sign-ins with a state',
		sections: ['RFC 6749 §10.12'],
		fix: 'Create a new state for every request.',
		failed: sameState,
		judge: judgeFreshState
	},
	{
		id: 'request.state_random',
		area,
		title: 'The state cannot be guessed',
		severity: 1,
		needs: 'three sign-ins with different states',
		sections: ['RFC 6749 §10.10'],
		fix: 'Make the state from 128 bits of a cryptographic random generator.',
		failed: fewBits,
		judge: judgeRandomState
	},
	{
		id: 'request.state_private',
		area,
		title: 'The state contains nothing readable',
		severity: 2,
		needs: 'a sign-in with a state',
		sections: ['RFC 6749 §10.8'],
		fix: 'Send a random state, and store the data in the session under it.',
		failed: () => 'The state contains readable data.',
		judge: judgePrivateState
	},
	{
		id: 'request.state_not_verifier',
		area,
		title: 'State and code verifier differ',
		severity: 1,
		needs: 'a sign-in with state and PKCE',
		sections: ['RFC 7636 §7'],
		fix: 'Create two independent random values.',
		failed: () => 'The state is the code verifier.',
		judge: judgeStateAndVerifier
	},
	{
		id: 'request.challenge_fresh',
		area,
		title: 'Each sign-in has its own challenge',
		severity: 1,
		needs: 'two sign-ins with PKCE',
		sections: ['RFC 9700 §2.1.1'],
		fix: 'Create a new verifier for every request.',
		failed: (count) => `${countOf(count, 'sign-in')} had the same code challenge.`,
		judge: judgeFreshChallenge
	},
	{
		id: 'request.nonce_fresh',
		area,
		dialect: 'standard',
		title: 'Each sign-in has its own nonce',
		severity: 1,
		needs: 'two sign-ins with a nonce',
		sections: ['RFC 9700 §2.1.1'],
		fix: 'Create a new nonce for every request, and keep it with the state.',
		failed: (count) => `${countOf(count, 'sign-in')} had the same nonce.`,
		judge: judgeFreshNonce
	},
	{
		id: 'request.scope_needed',
		area,
		title: 'Only needed permissions are requested',
		severity: undefined,
		needs: 'a sign-in',
		sections: ['§ 2.1'],
		fix: 'Ask for a permission when a feature needs it.',
		failed: () => 'No call needs character_write.',
		judge: judgeScope,
		standard: { sections: ['RFC 9700 §2.3'] }
	},
	{
		id: 'request.redirect_uri_exact',
		area,
		title: 'The redirect URI is as registered',
		severity: 3,
		needs: 'a sign-in',
		sections: ['§ 2.1'],
		fix: 'Keep the URI in one constant.',
		failed: (count) => `${countOf(count, 'request')} had a redirect URI that is not registered.`,
		judge: judgeRedirectUri,
		standard: { sections: ['RFC 9700 §2.1'] }
	},
	{
		id: 'request.no_secret',
		area,
		title: 'No secret in the authorization URL',
		severity: 1,
		needs: 'a sign-in',
		sections: ['RFC 6749 §2.3.1'],
		fix: 'Send the secret in the form to the token endpoint only.',
		failed: () => 'The browser got the client secret.',
		judge: judgeSecret,
		standard: { fix: 'Send the secret to the token endpoint only.' }
	},
	{
		id: 'request.navigated',
		area,
		title: 'The browser navigates to the service',
		severity: 2,
		needs: 'a sign-in in a real browser',
		sections: ['RFC 9700 §4.16'],
		fix: 'Open the sign-in page with a link or a redirect, not with fetch or in a frame.',
		failed: () => 'A script or frame opened the sign-in page.',
		judge: judgeNavigation
	}
];
