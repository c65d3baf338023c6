import { rejectBlacklisted } from '../checks/blacklist.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { check, endpoint } from '../core/runner.ts';
import { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { respondError } from '../core/responses.ts';

const rejectMessage = check<Context>('agent.server_runs', () => {
	throw new ProtocolError('not_found', 'Agents need a Tollgate on a server. Start one: npx tollgate');
});

/** `POST /mcp` on hosts without a server for agents. They import nothing else of it. */
export const noAgentServer = endpoint(Context, [rejectBlacklisted, requireMetadata, rejectMessage], respondError);
