import { otherIssuer, type AgentFault } from '#api/agent-faults.ts';
import type { Context } from '../core/context.ts';

type OfSandbox = Pick<Context, 'sandbox' | 'dialect'>;

/** Whether the sandbox has this fault. Only the dialect of today's standards has what is wrong. */
export function hasAgentFault({ sandbox, dialect }: OfSandbox, fault: AgentFault): boolean {
	return dialect.metadata && sandbox.state.settings.agent_fault === fault;
}

/** The issuer: the base URL, unless the authorization server has moved. */
export function issuerOf(context: OfSandbox): string {
	const { base_url } = context.sandbox;
	return hasAgentFault(context, 'moved_server') ? `${base_url}/moved` : base_url;
}

/**
 * The `iss` of authorization responses (RFC 9207, section 2).
 * @param issuer that is right
 * @returns undefined where they have none
 */
export function responseIssuer(context: OfSandbox, issuer = issuerOf(context)): string | undefined {
	switch (context.sandbox.state.settings.agent_fault) {
		case 'iss_missing':
			return undefined;
		case 'iss_wrong':
		case 'iss_unexpected':
			return otherIssuer;
		case 'iss_slash':
			return `${issuer}/`;
		default:
			return issuer;
	}
}
