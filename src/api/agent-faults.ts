/** What a server for agents does wrong, and what forms call it. */
export const agentFaults = {
	none: 'None',
	iss_wrong: 'iss of another issuer',
	iss_missing: 'iss missing',
	iss_unexpected: 'iss not announced, and wrong',
	iss_slash: 'Slash added to iss',
	metadata_issuer: 'Metadata of another issuer',
	other_resource: 'Metadata of another resource',
	moved_server: 'Authorization server moved',
	registration_rejected: 'Registration rejected',
	endless_403: 'Endless 403 at step-up'
} as const;

export type AgentFault = keyof typeof agentFaults;

/** The same, as a list. */
export const agentFaultNames = Object.keys(agentFaults).filter((name): name is AgentFault => name in agentFaults);

/** The issuer that a fault names in place of that of the sandbox. */
export const otherIssuer = 'https://issuer.example';
