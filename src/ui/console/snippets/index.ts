import { csharp } from './csharp.ts';
import { curl } from './curl.ts';
import { go } from './go.ts';
import { isLocal, localAuthority } from './local-authority.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { shellQuoted, type Snippet } from './snippet.ts';
import { typescript } from './typescript.ts';

/** The programs of "Connect your client". */
export const snippets: readonly [Snippet, ...Snippet[]] = [curl, typescript, python, php, go, ruby, csharp];

/**
 * The commands that install what a snippet needs and run it.
 * @param client_secret undefined: a placeholder
 */
export function runCommand({ install, run, trust }: Snippet, baseUrl: string, client_secret?: string): string {
	const lines = [
		install,
		`export CLIENT_SECRET=${shellQuoted(client_secret ?? 'PASTE_THE_SECRET')}`,
		isLocal(baseUrl) ? `export ${trust}=${localAuthority}` : undefined,
		run
	];
	return lines.filter((line) => line !== undefined).join('\n');
}
