import type { AgentFault } from '#api/agent-faults.ts';
import { failedAt, parameter } from '../exchanges.ts';
import { agentRuns, type AgentRun } from './agent-runs.ts';
import { ladderOf, type Ladder } from './ladder.ts';
import { toneOf } from './try.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';

/** What one scenario shows about an agent. */
export type AgentFinding = {
	readonly rule: string;
	readonly verdict: 'passed' | 'failed' | 'not_shown';
	/** One sentence. */
	readonly text: string;
};

/** The scenarios of an exam, in order. */
export const agentScenarios = [
	'none',
	'iss_wrong',
	'iss_missing',
	'iss_unexpected',
	'iss_slash',
	'metadata_issuer',
	'other_resource',
	'endless_403'
] as const satisfies readonly AgentFault[];

/** How many times a client may ask its user again after the same 403. */
const mostRequests = 3;

/**
 * What a scenario shows.
 * @param fault what the server did wrong
 * @param entries the log of the scenario, oldest first
 */
export function judgeAgent(fault: (typeof agentScenarios)[number], entries: readonly TrafficEntry[]): AgentFinding[] {
	const ladder = agentRuns(entries).map(ladderOf).at(-1);
	if (ladder === undefined) return [{ rule: ruleOf(fault), verdict: 'not_shown', text: 'No request to /mcp.' }];
	switch (fault) {
		case 'none':
			return [judgeResource(ladder), judgeUnion(ladder.run)];
		case 'endless_403':
			return [judgeRetries(ladder.run)];
		case 'metadata_issuer':
			return [judgeStep(fault, ladder, 4)];
		case 'other_resource':
			return [judgeStep(fault, ladder, 2)];
		default:
			return [judgeIssuer(fault, ladder)];
	}
}

function ruleOf(fault: AgentFault): string {
	return fault === 'none' ? 'agent.resource' : `agent.${fault}`;
}

function judgeResource({ steps }: Ladder): AgentFinding {
	const [found] = steps[5] ?? [];
	const rule = 'agent.resource';
	if (found === undefined || found.tone === 'waiting')
		return { rule, verdict: 'not_shown', text: 'No authorization request.' };
	return { rule, verdict: found.tone === 'ok' ? 'passed' : 'failed', text: `${found.reason}.` };
}

function judgeIssuer(fault: AgentFault, { issuer }: Ladder): AgentFinding {
	const rule = ruleOf(fault);
	if (issuer === undefined || issuer.difference.isEqual)
		return { rule, verdict: 'not_shown', text: 'No authorization response with this fault.' };
	return issuer.isAccepted
		? { rule, verdict: 'failed', text: `${issuer.difference.title}, and the client sent its code.` }
		: { rule, verdict: 'passed', text: 'The client sent no code.' };
}

function judgeStep(fault: AgentFault, { steps }: Ladder, step: number): AgentFinding {
	const tries = steps[step - 1] ?? [];
	const last = tries.at(-1);
	const rule = ruleOf(fault);
	if (last === undefined || toneOf(tries) === 'waiting')
		return { rule, verdict: 'not_shown', text: 'The client did not read this metadata.' };
	return { rule, verdict: toneOf(tries) === 'error' ? 'failed' : 'passed', text: `${last.reason}.` };
}

const authorizations = ({ entries }: AgentRun) =>
	entries.filter((entry) => entry.endpoint === 'auth' && parameter(entry, 'client_id') !== undefined);

/** A step-up asks for the scopes that the client has, and for the one of the challenge. */
function judgeUnion(run: AgentRun): AgentFinding {
	const rule = 'agent.scope_union';
	const rejected = run.entries.find((entry) => failedAt(entry, 'agent.scope_granted'));
	const asked = authorizations(run);
	const again = rejected && asked.find(({ seq }) => seq > rejected.seq);
	const before = rejected && asked.findLast(({ seq }) => seq < rejected.seq);
	if (again === undefined || before === undefined) return { rule, verdict: 'not_shown', text: 'No step-up.' };
	const scopesOf = (entry: TrafficEntry) =>
		(parameter(entry, 'scope') ?? '').split(' ').filter((scope) => scope !== '');
	const lost = scopesOf(before).filter((scope) => !scopesOf(again).includes(scope));
	return lost.length === 0
		? { rule, verdict: 'passed', text: 'The step-up asked for all scopes.' }
		: { rule, verdict: 'failed', text: `The step-up did not ask for ${lost.join(' ')} again.` };
}

/** A client does not ask its user again and again for what the server rejects anyway. */
function judgeRetries(run: AgentRun): AgentFinding {
	const rule = 'agent.endless_403';
	const rejected = run.entries.filter((entry) => failedAt(entry, 'agent.scope_granted'));
	if (rejected.length === 0) return { rule, verdict: 'not_shown', text: 'No call of read_private_fields.' };
	const count = authorizations(run).length;
	return count <= mostRequests && rejected.length <= 2 * mostRequests
		? { rule, verdict: 'passed', text: `The client stopped after ${rejected.length} rejected calls.` }
		: { rule, verdict: 'failed', text: `The client sent ${rejected.length} calls that were rejected in the same way.` };
}
