import * as v from 'valibot';
import { explainHar } from '../explain-har.ts';
import { defineTool, resultText, ToolError, type Tool } from './tool.ts';

/** A tool that explains a recorded sign-in at any provider. It reads the files on this machine, and sends nothing anywhere. */
export const explainHarTool: Tool = defineTool({
	name: 'explain_har',
	description:
		'Explain a failing sign-in at any OAuth or OpenID provider by its HAR file: the requests with their roles, rules that failed with cause and fix, and what the provider does differently. Secrets are removed.',
	input: v.strictObject({
		file: v.pipe(v.string(), v.nonEmpty(), v.description('Path of the HAR file of the browser.')),
		back_channel: v.exactOptional(
			v.pipe(v.string(), v.description('Path of a HAR file of the client, for example of tollgate watch.'))
		)
	}),
	annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
	call({ file, back_channel }) {
		const files = back_channel === undefined ? [file] : [file, back_channel];
		const { exitCode, text } = explainHar(files, { hosts: true });
		return exitCode === 2 ? Promise.reject(new ToolError(text)) : Promise.resolve(resultText(text));
	}
});
