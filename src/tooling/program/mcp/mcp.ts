import * as v from 'valibot';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { remoteExamService, startExamService } from '../client-exam/exam-service.ts';
import { ControlTools, sandboxArgument } from './control-tools.ts';
import { ExamTools } from './exam-tools.ts';
import { defineTool, jsonSchemaOf, resultText, type Tool, ToolError } from './tool.ts';
import { traffic, trafficEntry } from '#api/control/traffic.ts';
import { explainFailure } from '#features/inspector/explain-failure.ts';
import { explainHar } from '../explain-har.ts';

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

/** A tool that says why the service rejected a request: the check, what it found and expected, and how to fix it. */
export function explainTool(control: ControlTools): Tool {
	return defineTool({
		name: 'explain_exchange',
		description:
			'Explain one request of the traffic log: the check that rejected it, what it found, why, and how to fix the client. Every response has its id as X-Request-Id.',
		input: v.strictObject({
			sandbox: sandboxArgument,
			request_id: v.pipe(v.string(), v.nonEmpty(), v.description('X-Request-Id of the response.'))
		}),
		annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
		async call(args) {
			const id = encodeURIComponent(args.request_id);
			const entry = v.parse(trafficEntry, await control.request('GET', `/control/traffic/${id}`, args));
			const { entries } = v.parse(traffic, await control.request('GET', '/control/traffic?limit=500', args));
			const failure = explainFailure(entry, entries);
			if (failure === undefined) return 'No check rejected this request.';
			const { line, explanation, history } = failure;
			const { why, fix, code } = explanation ?? {};
			const { id: check, name, section, detail, found, expected, cause } = line;
			const status = entry.response?.status ?? 'no response';
			return resultText({ status, check, name, section, cause, detail, found, expected, history, why, fix, code });
		}
	});
}

/** A tool that explains a recorded sign-in at any provider. It reads the files on this machine, and sends nothing anywhere. */
export const explainHarTool: Tool = defineTool({
	name: 'explain_har',
	description: 'Explain HAR files of a sign-in at any provider.',
	input: v.strictObject({
		files: v.pipe(v.array(v.string()), v.description('Paths, that of the browser first.'))
	}),
	annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
	call({ files }) {
		const { exitCode, text } = explainHar(files, { hosts: true });
		return exitCode === 2 ? Promise.reject(new ToolError(text)) : Promise.resolve(resultText(text));
	}
});
