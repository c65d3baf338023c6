import type { AgentFault } from '#api/agent-faults.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Finding } from '#api/exam.ts';
import { failedAt, isTokenRequest, parameter } from '../exchanges.ts';
import { agentRuleIds, agentRules, type AgentRuleId } from './agent-rules.ts';
import { type AgentRun, agentRuns, isMetadata, pathOf, toneOf } from './agent-runs.ts';
import { type Ladder, ladderOf } from './ladder.ts';

type JudgedStep = Pick<Finding, 'verdict' | 'text'> & {
	/** What shows it. */
	readonly entries?: readonly (TrafficEntry | undefined)[];
};

/** How many times a client may ask its user again after the same 403. */
const mostRequests = 3;
/** How many requests a finding names. */
const mostShown = 10;

/**
 * What a scenario shows.
 * @param fault what the server did wrong
 * @param entries the log of the scenario, oldest first
 * @returns a finding for each rule of the scenario
 */
export function judgeAgent(fault: AgentFault, entries: readonly TrafficEntry[]): Finding[] {
	const ladder = agentRuns(entries).map(ladderOf).at(-1);
	return agentRuleIds
		.filter((id) => agentRules[id].fault === fault)
		.map((id) => {
			const { severity, fix, sections } = agentRules[id];
			const found: JudgedStep = ladder === undefined ? notShown('No request to /mcp.') : judgeRule(id, ladder, entries);
			const requests = (found.entries ?? []).flatMap((entry) => entry?.id ?? []).slice(0, mostShown);
			const { verdict, text } = found;
			return { rule: id, verdict, severity, text, fix, sections: [...sections], requests };
		});
}

function judgeRule(rule: AgentRuleId, ladder: Ladder, entries: readonly TrafficEntry[]): JudgedStep {
	switch (rule) {
		case 'agent.resource':
			return judgeResource(ladder);
		case 'agent.scope_union':
			return judgeUnion(ladder.run);
		case 'agent.endless_403':
			return judgeRetries(ladder.run);
		case 'agent.metadata_issuer':
			return judgeStep(ladder, 4);
		case 'agent.other_resource':
			return judgeStep(ladder, 2);
		case 'agent.moved_server':
			return judgeMove(entries);
		case 'agent.registration_rejected':
			return judgeRegistration(entries);
		default:
			return judgeIssuer(ladder);
	}
}

const notShown = (text: string): JudgedStep => ({ verdict: 'not_shown', text });

function judgeResource({ steps, run }: Ladder): JudgedStep {
	const [found] = steps[5] ?? [];
	if (found === undefined || found.tone === 'waiting') return notShown('No authorization request.');
	const entries = run.entries.filter(({ id }) => id === found.exchange);
	return { verdict: found.tone === 'ok' ? 'passed' : 'failed', text: `${found.reason}.`, entries };
}

function judgeIssuer({ issuer }: Ladder): JudgedStep {
	if (issuer === undefined || issuer.difference.isEqual) return notShown('No authorization response with this fault.');
	const { response, token, difference, isAccepted } = issuer;
	return isAccepted
		? { verdict: 'failed', text: `${difference.title}, and the client sent its code.`, entries: [response, token] }
		: { verdict: 'passed', text: 'The client sent no code.', entries: [response] };
}

function judgeStep({ steps, run }: Ladder, step: number): JudgedStep {
	const tries = steps[step - 1] ?? [];
	const last = tries.at(-1);
	if (last === undefined || toneOf(tries) === 'waiting') return notShown('The client did not read this metadata.');
	const entries = run.entries.filter(({ id }) => tries.some(({ exchange }) => exchange === id));
	return { verdict: toneOf(tries) === 'error' ? 'failed' : 'passed', text: `${last.reason}.`, entries };
}

const authorizations = (entries: readonly TrafficEntry[]) =>
	entries.filter((entry) => entry.endpoint === 'auth' && parameter(entry, 'client_id') !== undefined);

/** A step-up asks for the scopes that the client has, and for the one of the challenge. */
function judgeUnion(run: AgentRun): JudgedStep {
	const rejected = run.entries.find((entry) => failedAt(entry, 'agent.scope_granted'));
	const asked = authorizations(run.entries);
	const again = rejected && asked.find(({ seq }) => seq > rejected.seq);
	const before = rejected && asked.findLast(({ seq }) => seq < rejected.seq);
	if (again === undefined || before === undefined) return notShown('No step-up.');
	const scopesOf = (entry: TrafficEntry) =>
		(parameter(entry, 'scope') ?? '').split(' ').filter((scope) => scope !== '');
	const lost = scopesOf(before).filter((scope) => !scopesOf(again).includes(scope));
	const entries = [rejected, again];
	return lost.length === 0
		? { verdict: 'passed', text: 'The step-up asked for all scopes.', entries }
		: { verdict: 'failed', text: `The step-up did not ask for ${lost.join(' ')} again.`, entries };
}

/** A client does not ask its user again and again for what the server rejects anyway. */
function judgeRetries(run: AgentRun): JudgedStep {
	const entries = run.entries.filter((entry) => failedAt(entry, 'agent.scope_granted'));
	const { length } = entries;
	if (length === 0) return notShown('No call of read_private_fields.');
	return authorizations(run.entries).length <= mostRequests && length <= 2 * mostRequests
		? {
				verdict: 'passed',
				text: `The client stopped after ${timesText(length, 'call')}.`,
				entries
			}
		: { verdict: 'failed', text: `The client sent ${timesText(length, 'call')}.`, entries };
}

const timesText = (count: number, what: string) => `${count} rejected ${what}${count === 1 ? '' : 's'}`;

/** A client that was not registered has no client ID. It can use one that it had before, or the URL of its document. */
function judgeRegistration(entries: readonly TrafficEntry[]): JudgedStep {
	const rejected = entries.filter(({ endpoint, response }) => endpoint === 'register' && response?.status === 403);
	const [first] = rejected;
	if (first === undefined) return notShown('The client did not register.');
	const without = entries.filter(
		(entry) =>
			entry.seq > first.seq &&
			['auth', 'par', 'token'].includes(entry.endpoint) &&
			(entry.client_id === undefined || failedAt(entry, 'auth.client_known'))
	);
	if (without.length > 0)
		return { verdict: 'failed', text: 'The client went on without a client ID.', entries: [first, ...without] };
	const { length } = rejected;
	return length <= mostRequests
		? { verdict: 'passed', text: `The client stopped after ${timesText(length, 'registration')}.`, entries: rejected }
		: { verdict: 'failed', text: `The client sent ${timesText(length, 'registration')}.`, entries: rejected };
}

/** A client ID, unless it is the URL of a document, and a refresh token belong to the server that issued them. */
function judgeMove(entries: readonly TrafficEntry[]): JudgedStep {
	const isMoved = (entry: TrafficEntry) =>
		isMetadata(entry) && entry.response?.status === 200 && pathOf(entry).endsWith('/moved');
	const read = entries.find(isMoved);
	if (read === undefined) return notShown('The client did not read the metadata of the other server.');
	const [before, after] = [entries.filter(({ seq }) => seq < read.seq), entries.filter(({ seq }) => seq > read.seq)];
	const old = new Set(before.map(clientOf).filter((id) => id !== undefined && !URL.canParse(id)));
	const asked = authorizations(after);
	const isOfBefore = ({ seq }: TrafficEntry) => asked.every((request) => request.seq > seq);
	const sent = after.filter(
		(entry) =>
			(isTokenRequest(entry, 'refresh_token') && isOfBefore(entry)) ||
			(['auth', 'token', 'par'].includes(entry.endpoint) && old.has(clientOf(entry)))
	);
	if (sent.length > 0)
		return {
			verdict: 'failed',
			text: 'The other server got the client ID or a token of the first one.',
			entries: sent
		};
	if (after.some(({ endpoint }) => endpoint === 'register'))
		return { verdict: 'passed', text: 'The client registered at the other server.', entries: [read] };
	return asked.length > 0
		? { verdict: 'passed', text: 'The other server got no client ID of the first one.', entries: asked }
		: { verdict: 'passed', text: 'The client stopped at the other server.', entries: [read] };
}

const clientOf = (entry: TrafficEntry) => entry.client_id ?? parameter(entry, 'client_id');
