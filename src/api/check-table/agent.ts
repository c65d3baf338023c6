import type { CheckRows } from './check-row.ts';

/** Checks of the server for agents, `/mcp`. */
export const agentChecks = {
	'agent.server_runs': { failed: true },
	'agent.origin_allowed': { reads: ['Origin'], failed: true },
	'agent.method_is_post': { reads: ['method'], failed: true },
	'agent.message_valid': { reads: ['Content-Type', 'body'], failed: true },
	'agent.token_for_server': { reads: ['Authorization'], setBy: 'resource', failed: true },
	'agent.scope_granted': { reads: ['Authorization', 'body'], causes: ['endless_403', 'scope_missing', 'step_up'] },
	'agent.message_handled': { reads: ['body'], responds: true, cannotFail: true }
} as const satisfies CheckRows;
