import type { TrafficEntry } from '#api/control/traffic.ts';
import { contains, issued, issuedCode } from '../exchanges.ts';
import { kindOf, queryParameter } from '../facts.ts';
import { responseHeader } from '../rate-limit-headers.ts';
import { failedLine, once, patience, type Seen, settled, type StepLog, wantsPage } from './step-log.ts';
import type { SignalRule } from './signal.ts';

const parts = /^([^:/?#]*:)(?:\/\/([^/?#:]*|\[[^\]]*\])(?::(\d*))?)?([^?#]*)(\?[^#]*)?(#.*)?$/s;
const names = ['scheme', 'host', 'port', 'path', 'query', 'fragment'];

/** Longer values are left out of the sentence. */
const longest = 20;

function partsOf(uri: string): readonly string[] {
	return (parts.exec(uri) ?? []).slice(1).map((part: string | undefined) => part ?? '');
}

/** How alike two URIs are: the characters that they have in common at both ends. */
function similarity(one: string, other: string): number {
	const shorter = Math.min(one.length, other.length);
	let begin = 0;
	while (begin < shorter && one[begin] === other[begin]) begin++;
	let end = 0;
	while (end < shorter - begin && one.at(-1 - end) === other.at(-1 - end)) end++;
	return begin + end;
}

/**
 * How a redirect URI differs from the most similar expected one, in all parts that differ: `port 3001, not 3000`.
 * Undefined if it cannot be said briefly.
 * @param expected may be empty
 */
function uriDifference(found: string, expected: readonly string[]): string | undefined {
	const [nearest] = [...expected].sort((one, other) => similarity(other, found) - similarity(one, found));
	if (nearest === undefined || nearest === '') return undefined;
	if (found === `${nearest}/` || nearest === `${found}/`) return 'one slash at the end';
	if (found.toLowerCase() === nearest.toLowerCase()) return 'upper and lower case';
	const [is, was] = [partsOf(found), partsOf(nearest)];
	const differing = names.flatMap((name, index) => {
		const [found = '', wanted = ''] = [is[index], was[index]];
		return found === wanted ? [] : [partText(name, found, wanted)];
	});
	return differing.length === 0 ? undefined : differing.join(', and ');
}

function partText(name: string, ...values: readonly string[]): string {
	const shown = values.map((part) => part.replace(/:$/, '') || 'none');
	return shown.every((part) => part.length <= longest) ? `${name} ${shown.join(', not ')}` : `the ${name}`;
}

const isPrompt = (entry: TrafficEntry) =>
	entry.endpoint === 'auth' &&
	wantsPage(entry) &&
	entry.trace.some(({ id, outcome }) => id === 'auth.user_prompted' && outcome === 'responded');

function isDenied(entry: TrafficEntry): boolean {
	const location = responseHeader(entry, 'location') ?? '';
	return new URLSearchParams(location.slice(location.indexOf('?') + 1)).get('error') === 'access_denied';
}

/** What protects a sign-in against codes of other users: RFC 9700, section 2.1. */
const protections = ['state', 'code_challenge', 'nonce'];

/** The newest authorization request that was accepted, if it has nothing that ties the response to the browser. */
function findNoState({ entries }: StepLog): Seen | undefined {
	const last = entries.findLast((entry) => kindOf(entry) === 'authorization' && failedLine(entry) === undefined);
	const isProtected = last !== undefined && protections.some((name) => (queryParameter(last, name) ?? '') !== '');
	return last === undefined || last.response === null || isProtected ? undefined : { entries: [last] };
}

function findUnknownClient(log: StepLog): Seen | undefined {
	return once(
		log.failures.filter((entry) => {
			const { id = '', cause } = failedLine(entry) ?? {};
			return cause === 'unknown_client' && (id === 'auth.client_known' || id === 'token.client_authenticated');
		})
	);
}

function findDifferentRedirectUri(log: StepLog): Seen | undefined {
	const found = settled(
		log,
		[...log.failuresOf('auth.redirect_uri_registered'), ...log.failuresOf('token.redirect_uri_matches')].sort(
			(one, other) => one.seq - other.seq
		)
	);
	const last = found?.entries.at(-1);
	const line = last && failedLine(last);
	if (found === undefined || line?.found === undefined) return found;
	const difference = uriDifference(line.found, (line.expected ?? '').split('\n'));
	return difference === undefined ? found : { ...found, text: `The redirect URI differs: ${difference}.` };
}

/** The newest code, if it waits for its exchange. */
function findUnusedCode({ entries, all, now }: StepLog): Seen | undefined {
	const last = entries.findLast(issuedCode);
	const code = last && issued(last, 'code');
	if (last === undefined || code === undefined || now - last.at <= patience) return undefined;
	const isSent = all.some((entry) => entry.endpoint === 'token' && contains(entry, code.id));
	return isSent ? undefined : { entries: [last] };
}

function findWaitingUser(log: StepLog): Seen | undefined {
	const last = log.entries.findLast(isPrompt);
	if (last === undefined || log.ageOf(last) <= patience) return undefined;
	const goesOn = log.entries.some(
		({ seq, flow, endpoint }) => seq > last.seq && (flow === last.flow || endpoint === 'auth')
	);
	return goesOn ? undefined : { entries: [last] };
}

/** Signals about the authorization request: how it was wrong. */
export const requestSignals = [
	{
		id: 'unknown_client',
		kind: 'mistake',
		title: 'Unknown client_id',
		text: 'The client_id is not that of this sandbox.',
		section: '2.1',
		help: 'Copy the client_id from the page of the seat.',
		find: findUnknownClient
	},
	{
		id: 'redirect_differs',
		kind: 'mistake',
		title: 'Redirect URI differs',
		text: 'The redirect URI differs.',
		section: '2.1',
		help: 'Scheme, host, port, path and final slash are compared.',
		find: findDifferentRedirectUri
	},
	{
		id: 'wrong_scope',
		kind: 'mistake',
		title: 'Unknown permission',
		text: 'Asks for an unknown permission.',
		section: '2.1',
		help: 'Copy the permission from the documentation.',
		find: (log) => once(log.failuresOf('auth.scope_known'))
	}
] as const satisfies readonly SignalRule[];

/** Signals about what follows the authorization request. */
export const callbackSignals = [
	{
		id: 'denied',
		kind: 'wait',
		title: 'Access denied',
		text: 'The sign-in was denied.',
		section: '3.1',
		help: 'Sign in again and press Allow.',
		find: ({ entries }) => {
			const last = entries.findLast(({ endpoint }) => endpoint === 'auth');
			return last !== undefined && isDenied(last) ? { entries: [last] } : undefined;
		}
	},
	{
		id: 'code_unused',
		kind: 'mistake',
		title: 'Code not exchanged',
		text: 'Got a code. No client exchanges it.',
		section: '2.3',
		help: 'Read the code in the callback, and send it to the token endpoint.',
		find: findUnusedCode
	},
	{
		id: 'on_sign_in_page',
		kind: 'wait',
		title: 'Sign-in not continued',
		text: 'Opened the sign-in page, and did not continue.',
		section: '5.2',
		help: 'Sign in as player-one with the password demo, and press Allow.',
		find: (log) => findWaitingUser(log)
	}
] as const satisfies readonly SignalRule[];

/** What an authorization request should have, although the service accepts it without. */
export const adviceSignals = [
	{
		id: 'no_state',
		kind: 'note',
		title: 'No state',
		text: 'Sends no state. Lesson: State and login CSRF.',
		section: 'RFC 6749 §10.12',
		help: 'Create a random state for each sign-in, and compare it at the callback.',
		find: findNoState
	}
] as const satisfies readonly SignalRule[];
