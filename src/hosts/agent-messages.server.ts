import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { headerValue } from '#api/headers.ts';
import { type AgentTools, type HandleAgentMessage, privateTool } from '#service/resource/agent-server.ts';

const named = fromJsonSchema<{ name: string }>({
	type: 'object',
	properties: { name: { type: 'string', maxLength: 200, description: 'The exact name.' } },
	required: ['name']
});

/** The headers of a request that the protocol reads. */
const readHeaders = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'];

/** Handles messages of the Model Context Protocol. Each request has a new server, so there are no sessions. */
export const handleAgentMessage: HandleAgentMessage = async ({ headers, body }, tools) => {
	// Each response is complete: a request for a stream of changes gets an error.
	const handler = createMcpHandler(() => createServer(tools), {
		maxSubscriptions: 0,
		keepAliveMs: 0
	});
	try {
		const sent = readHeaders.flatMap((name) => {
			const value = headerValue(headers, name);
			return value === undefined ? [] : [[name, value] satisfies [string, string]];
		});
		// The server does not read the URL.
		const request = new Request('https://tollgate.invalid/mcp', { method: 'POST', headers: sent, body });
		const response = await handler.fetch(request);
		const type = response.headers.get('content-type');
		return {
			status: response.status,
			headers: type === null ? [] : ['Content-Type', type],
			body: await response.text()
		};
	} finally {
		await handler.close();
	}
};

function createServer({ plural, list, read, readPrivate }: AgentTools): McpServer {
	const server = new McpServer({ name: 'tollgate', version: '1.0.0' });
	const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });
	const found = (value: unknown) =>
		value === undefined
			? { ...text(`None of the ${plural} has this name. List them first.`), isError: true }
			: text(value);
	server.registerTool(
		'list_names',
		{ title: 'List names', description: `The names of all ${plural}.`, annotations: { readOnlyHint: true } },
		async () => text(await list())
	);
	server.registerTool(
		'read_public_fields',
		{
			title: 'Read public fields',
			description: `The public fields of one of the ${plural}.`,
			inputSchema: named,
			annotations: { readOnlyHint: true }
		},
		async ({ name }) => found(await read(name))
	);
	server.registerTool(
		privateTool,
		{
			title: 'Read private fields',
			description: `All fields of one of your own ${plural} that you have permission to read. It needs another scope than the other tools.`,
			inputSchema: named,
			annotations: { readOnlyHint: true }
		},
		async ({ name }) => found(await readPrivate(name))
	);
	return server;
}
