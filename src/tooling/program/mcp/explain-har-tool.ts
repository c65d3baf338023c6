import * as v from 'valibot';
import { explainHar } from '../explain-har.ts';
import { defineTool, resultText, ToolError, type Tool } from './tool.ts';

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
