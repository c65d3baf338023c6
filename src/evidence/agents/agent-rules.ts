import type { AgentFault } from '#api/agent-faults.ts';
import type { Severity } from '#api/exam.ts';

/** What a rule about agents judges. */
export type AgentRule = {
	readonly title: string;
	/** What the server does wrong while it is judged. */
	readonly fault: AgentFault;
	readonly severity: Severity;
	/** One sentence that fixes it. */
	readonly fix: string;
	readonly sections: readonly string[];
};

const issuer = {
	severity: 1,
	fix: 'Compare iss with the issuer of the metadata, character by character, before you send the code.',
	sections: ['RFC 9207 §2.4']
} as const;

/** The rules of `tollgate exam --client mcp`, in the order of its runs. */
export const agentRules = {
	'agent.resource': {
		title: 'Names the server as resource in both requests',
		fault: 'none',
		severity: 2,
		fix: 'Send resource with the URL of the server in the authorization request and in the token request.',
		sections: ['RFC 8707 §2']
	},
	'agent.scope_union': {
		title: 'Keeps its scopes at a step-up',
		fault: 'none',
		severity: 2,
		fix: 'Ask for the scopes that you have and for the scope of the challenge.',
		sections: ['RFC 6750 §3.1']
	},
	'agent.iss_wrong': { title: 'Sends no code after the iss of another issuer', fault: 'iss_wrong', ...issuer },
	'agent.iss_missing': { title: 'Sends no code after a response without iss', fault: 'iss_missing', ...issuer },
	'agent.iss_unexpected': { title: 'Compares an iss that was not announced', fault: 'iss_unexpected', ...issuer },
	'agent.iss_slash': { title: 'Sends no code after an iss with a slash more', fault: 'iss_slash', ...issuer },
	'agent.metadata_issuer': {
		title: 'Uses no metadata of another issuer',
		fault: 'metadata_issuer',
		severity: 1,
		fix: 'Compare the issuer of the metadata with the one that you asked for, and use nothing of it where they differ.',
		sections: ['RFC 8414 §3.3']
	},
	'agent.other_resource': {
		title: 'Uses no metadata of another resource',
		fault: 'other_resource',
		severity: 1,
		fix: 'Compare resource with the URL of the server, and use nothing of the metadata where they differ.',
		sections: ['RFC 9728 §3.3']
	},
	'agent.moved_server': {
		title: 'Sends another server nothing of the first one',
		fault: 'moved_server',
		severity: 1,
		fix: 'Store client ID and tokens with their issuer, and register again where the issuer is another one.',
		sections: ['RFC 9728 §2']
	},
	'agent.registration_rejected': {
		title: 'Stops after a rejected registration',
		fault: 'registration_rejected',
		severity: 2,
		fix: 'Stop, and tell the user that this server registers no clients.',
		sections: ['RFC 7591 §3.2.2']
	},
	'agent.endless_403': {
		title: 'Stops after a few rejected calls',
		fault: 'endless_403',
		severity: 2,
		fix: 'Stop after a few attempts, and tell the user.',
		sections: ['RFC 6750 §3.1']
	}
} as const satisfies Readonly<Record<string, AgentRule>>;

export type AgentRuleId = keyof typeof agentRules;

/** Their ids, in order. */
export const agentRuleIds = Object.keys(agentRules).filter((id): id is AgentRuleId => id in agentRules);

/** The faults of the runs, in order. */
export const agentScenarios: readonly AgentFault[] = [...new Set(agentRuleIds.map((id) => agentRules[id].fault))];
