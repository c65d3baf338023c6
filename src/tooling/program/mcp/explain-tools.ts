import * as v from 'valibot';
import { traffic, trafficEntry } from '#api/control/traffic.ts';
import { explainFailure } from '#features/inspector/explain-failure.ts';
import { explainHar } from '../explain-har.ts';
import { sandboxArgument, type ControlTools } from './control-tools.ts';
import { defineTool, resultText, ToolError, type Tool } from './tool.ts';

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
