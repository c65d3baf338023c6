import type { Permission } from '#api/control/world.ts';
import { validateAddressHeader } from '../address/client-address.ts';
import { allowOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { limitConcurrency } from '../checks/concurrency.ts';
import { injectFault, injectRateLimit } from '../checks/faults.ts';
import { enforceRateLimit } from '../checks/rate-limit.ts';
import { check, endpoint, type Endpoint } from '../core/runner.ts';
import { ProtocolError } from '../core/errors.ts';
import { challengeOf, missingPermission, unauthorized } from '../core/resource-errors.ts';
import { type Data, requireMethod, respondError } from '../core/responses.ts';
import { hasAgentFault } from '../sandbox/agent-faults.ts';
import { permissionsOf, readingPermissions } from '../sandbox/permissions.ts';
import { characterKey } from '../world/seed.ts';
import { accessTokenChecks, ResourceContext } from './access-token.ts';
import { visibleFields } from './character.ts';

/** What the tools of the server read, for one request. */
export type AgentTools = {
	/** What the world calls its characters. */
	readonly plural: string;
	/** The names of all characters. */
	readonly list: () => Promise<readonly string[]>;
	/** The public fields of a character. Undefined: no character has this name. */
	readonly read: (name: string) => Promise<Data | undefined>;
	/** The fields that the token opens. */
	readonly readPrivate: (name: string) => Promise<Data | undefined>;
};

/** An HTTP request to the server, whose token is checked. */
export type AgentRequest = { readonly headers: readonly string[]; readonly body: string };

/** Handles one message. `headers` is flat. */
export type HandleAgentMessage = (
	request: AgentRequest,
	tools: AgentTools
) => Promise<{ readonly status: number; readonly headers: readonly string[]; readonly body: string }>;

/** The tool that needs another scope than the others. */
export const privateTool = 'read_private_fields';

class AgentContext extends ResourceContext {
	/** Those of the sandbox. Set by `agent.server_runs`. */
	permissions!: readonly Permission[];
	/** The body. Set by `agent.message_valid`. */
	message!: string;
	/** The tool that is called. Set by `agent.message_valid`. */
	tool: string | undefined;

	/** The scope that all messages need. */
	get readingScope(): string | undefined {
		return readingPermissions(this.permissions)[0]?.scope;
	}
	/** The scope that only `privateTool` needs. */
	get privateScope(): string | undefined {
		return this.permissions.find(({ of, opens }) => of === 'own' && opens.length > 0)?.scope;
	}
}

const readScopes = check<AgentContext>('agent.server_runs', async (context) => {
	context.permissions = await permissionsOf(context);
	context.challengeScope = context.readingScope;
});

/** Origins of clients may send messages, and pages of this server (MCP transports: servers validate the header `Origin`). */
const checkOrigin = check<AgentContext>('agent.origin_allowed', (context) => {
	const origin = context.header('origin');
	if (origin === undefined) return context.note('No origin');
	if (context.corsOrigin === undefined && origin !== context.options.origin)
		throw new ProtocolError('forbidden', 'The page that sent this message belongs to no client of this sandbox.', {
			received: [origin.slice(0, 200)],
			headers: ['WWW-Authenticate', challengeOf(context)]
		});
	context.note(origin);
});

const checkMethod = check<AgentContext>('agent.method_is_post', (context) => requireMethod(context, 'POST'));

const readMessage = check<AgentContext>('agent.message_valid', (context) => {
	const message = parseObject(context);
	context.message = context.bodyText ?? '';
	const { method, params } = message;
	context.tool =
		method === 'tools/call' && isObject(params) && typeof params.name === 'string' ? params.name : undefined;
	const named = typeof method === 'string' ? method.slice(0, 60) : 'A response';
	context.note(context.tool === undefined ? named : `${named}: ${context.tool.slice(0, 60)}`);
});

const checkBinding = check<AgentContext>('agent.token_for_server', (context) => {
	const { resources } = context.accessToken;
	if (resources !== undefined) return context.note(resources.join(' '));
	throw unauthorized(
		context,
		'invalid_token',
		'The access token names no resource. Send resource in both requests, and get a new token.',
		401,
		{ received: ['no resource'], expected: [`${context.sandbox.base_url}/mcp`] }
	);
});

const checkScope = check<AgentContext>('agent.scope_granted', (context) => {
	const { accessToken, tool, readingScope, privateScope } = context;
	const granted = accessToken.scopes;
	const reject = (scope: string, cause: 'scope_missing' | 'step_up' | 'endless_403') => {
		context.challengeScope = undefined;
		return missingPermission(context, scope, undefined, { granted, cause });
	};
	if (tool === privateTool && privateScope !== undefined) {
		if (!granted.includes(privateScope)) throw reject(privateScope, 'step_up');
		if (hasAgentFault(context, 'endless_403')) throw reject(privateScope, 'endless_403');
	} else if (readingScope !== undefined && !granted.includes(readingScope)) throw reject(readingScope, 'scope_missing');
	context.note(granted.join(' '));
});

function handleMessage(handle: HandleAgentMessage) {
	return check<AgentContext>('agent.message_handled', async (context) => {
		const { status, headers, body } = await handle(
			{ headers: context.request.headers, body: context.message },
			toolsOf(context)
		);
		context.note(`HTTP ${status}`);
		return {
			kind: 'response',
			status,
			headers: [...headers, 'Cache-Control', 'no-store', 'Vary', 'Accept, Origin', ...context.headers],
			body
		};
	});
}

/**
 * The server for agents, `POST /mcp`: a resource of the Model Context Protocol, without sessions. Its requests count as requests for
 * characters.
 * @param handle handles messages that may be handled
 */
export function createAgentServer(handle: HandleAgentMessage): Endpoint {
	return endpoint(
		AgentContext,
		[
			rejectBlacklisted,
			requireMetadata,
			allowOrigins('POST', ', MCP-Protocol-Version, Mcp-Method, Mcp-Name'),
			readScopes,
			...injectRateLimit('character'),
			enforceRateLimit('character'),
			...limitConcurrency,
			...validateAddressHeader,
			injectFault,
			checkMethod,
			checkOrigin,
			...accessTokenChecks,
			checkBinding,
			readMessage,
			checkScope,
			handleMessage(handle)
		],
		respondError
	);
}

function toolsOf({ store, sandbox, permissions, accessToken }: AgentContext): AgentTools {
	const read = async (name: string, granted: readonly string[]) => {
		const character = await store.get('character', characterKey(name.slice(0, 200)));
		if (character === undefined) return undefined;
		return visibleFields(character, character.player === accessToken.username, permissions, granted);
	};
	const reading = readingPermissions(permissions).map(({ scope }) => scope);
	return {
		plural: sandbox.seed.world.resource.plural,
		list: async () => (await store.list('character')).map(([, { name }]) => name),
		read: (name) => read(name, reading),
		readPrivate: (name) => read(name, accessToken.scopes)
	};
}

function parseObject({ bodyText }: AgentContext): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(bodyText ?? '');
		if (isObject(value)) return value;
	} catch {
		// The same error as for another value.
	}
	throw new ProtocolError(
		'invalid_request',
		'The body is not one JSON object in UTF-8. Send one message of JSON-RPC 2.0 in each request.',
		{ expected: ['{"jsonrpc": "2.0", "method": …}'] }
	);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
