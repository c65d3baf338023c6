import { csharp } from './csharp.ts';
import { curl } from './curl.ts';
import { go } from './go.ts';
import { authorityWord, needsAuthority } from './local-authority.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { hasSecret, shellQuoted, type Snippet, type SnippetInput } from './snippet.ts';
import { typescript } from './typescript.ts';

/** The programs of "Connect your client". */
export const snippets: readonly [Snippet, ...Snippet[]] = [curl, typescript, python, php, go, ruby, csharp];

type Run = Pick<SnippetInput, 'baseUrl' | 'kind' | 'dialect'> & {
	/** Undefined: a placeholder. */
	readonly client_secret?: string | undefined;
	/** `SandboxStatusMonitor.caFile`. */
	readonly caFile?: string | undefined;
};

/** The commands that install what a snippet needs and run it. */
export function runCommand({ install, run, trust }: Snippet, input: Run): string {
	const { baseUrl, client_secret, caFile } = input;
	const lines = [
		install,
		hasSecret(input) ? `export CLIENT_SECRET=${shellQuoted(client_secret ?? 'PASTE_THE_SECRET')}` : undefined,
		needsAuthority(baseUrl, caFile) ? `export ${trust}=${authorityWord(caFile)}` : undefined,
		run
	];
	return lines.filter((line) => line !== undefined).join('\n');
}
