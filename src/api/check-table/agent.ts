import type { CheckRows } from './check-row.ts';

/** Checks of the server for agents, `/mcp`. */
export const agentChecks = {
	'agent.server_runs': {
		title: 'This Tollgate has a server for agents',
		section: '',
		failed: 'no server for agents'
	},
	'agent.origin_allowed': {
		title: 'The page that sent it belongs to a client',
		section: 'RFC 6454 §7',
		reads: ['Origin'],
		failed: 'page of a site that is no client'
	},
	'agent.method_is_post': {
		title: 'The method is POST',
		section: 'RFC 9110 §15.5.6',
		reads: ['method'],
		failed: 'wrong method'
	},
	'agent.message_valid': {
		title: 'The body is a message of JSON-RPC',
		section: '',
		reads: ['Content-Type', 'body'],
		failed: 'no message'
	},
	'agent.token_for_server': {
		title: 'The access token names this server as its resource',
		section: 'RFC 8707 §2',
		reads: ['Authorization'],
		setBy: 'resource',
		failed: 'token without a resource'
	},
	'agent.scope_granted': {
		title: 'The token has the scope of this message',
		section: 'RFC 6750 §3.1',
		reads: ['Authorization', 'body'],
		causes: { endless_403: 'fault: always 403', scope_missing: 'scope missing', step_up: 'another scope needed' }
	},
	'agent.message_handled': {
		title: 'The server handled the message',
		section: '',
		reads: ['body'],
		responds: 'Message handled',
		cannotFail: true
	}
} as const satisfies CheckRows;
