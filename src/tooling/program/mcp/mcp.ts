import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { remoteExamService, startExamService } from '../client-exam/exam-service.ts';
import { ControlTools } from './control-tools.ts';
import { ExamTools } from './exam-tools.ts';
import { explainHarTool, explainTool } from './explain-tools.ts';
import { jsonSchemaOf } from './tool.ts';

/** What the program needs. */
export type McpOptions = {
	/** A Tollgate that runs already. Default: one is started. */
	readonly url?: string;
	/** May create sandboxes there. */
	readonly key?: string;
	readonly version: string;
};

/**
 * Speaks the Model Context Protocol over standard input and output, until the input ends.
 * @param program starts `tollgate` again, for exams
 */
export async function serveMcp({ url, key, version }: McpOptions, program: readonly string[]): Promise<void> {
	const service = url === undefined ? await startExamService() : remoteExamService(url);
	const control = new ControlTools(service, key);
	const tools = [...control.tools, explainTool(control), explainHarTool, ...new ExamTools(program).tools];
	const byName = new Map(tools.map((tool) => [tool.name, tool]));
	const instructions = `Tollgate is a simulated OAuth 2.0 service. Create a sandbox, point a client at its base_url, and read what its requests did. ${trustText(service.trust.NODE_EXTRA_CA_CERTS)}`;
	const server = new Server({ name: 'tollgate', version }, { capabilities: { tools: {} }, instructions });
	server.setRequestHandler(ListToolsRequestSchema, () => ({
		tools: tools.map(({ name, description, input, annotations }) => ({
			name,
			description,
			inputSchema: { ...jsonSchemaOf(input), type: 'object' as const },
			annotations
		}))
	}));
	server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
		const tool = byName.get(params.name);
		const text = (content: string, isError: boolean) => ({
			content: [{ type: 'text' as const, text: content }],
			isError
		});
		if (tool === undefined) return text(`There is no tool ${params.name}.`, true);
		try {
			return text(await tool.call(params.arguments ?? {}), false);
		} catch (error) {
			return text(error instanceof Error ? error.message : String(error), true);
		}
	});
	const closed = new Promise<void>((resolve) => {
		server.onclose = resolve;
		process.stdin.once('end', resolve);
	});
	await server.connect(new StdioServerTransport());
	await closed;
	await service.close();
}

function trustText(file: string | undefined): string {
	return file === undefined ? '' : `Clients must trust the certificates in ${file}.`;
}
