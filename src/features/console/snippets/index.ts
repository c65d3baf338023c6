import csharp from '#content/snippets/Program.cs.txt?raw';
import go from '#content/snippets/client.go.txt?raw';
import typescript from '#content/snippets/client.mts.txt?raw';
import php from '#content/snippets/client.php.txt?raw';
import python from '#content/snippets/client.py.txt?raw';
import ruby from '#content/snippets/client.rb.txt?raw';
import curl from '#content/snippets/client.sh.txt?raw';
import { authorityWord, needsAuthority } from './local-authority.ts';
import { hasSecret, shellQuoted, singleQuoted, type Snippet, type SnippetInput } from './snippet.ts';

/** A text as a literal in double quotes, for languages that share the escapes of JSON. */
const doubleQuoted = (text: string) => JSON.stringify(text);

/** The programs of "Connect your client". */
export const snippets: readonly [Snippet, ...Snippet[]] = [
	{
		label: 'curl',
		file: 'client.sh',
		language: 'shell',
		run: 'bash client.sh',
		trust: 'CURL_CA_BUNDLE',
		template: curl,
		quote: shellQuoted
	},
	{
		label: 'TypeScript',
		file: 'client.mts',
		language: 'ts',
		install: 'npm install oauth4webapi tsx',
		run: 'npx tsx client.mts',
		trust: 'NODE_EXTRA_CA_CERTS',
		template: typescript,
		quote: doubleQuoted
	},
	{
		label: 'Python',
		file: 'client.py',
		language: 'python',
		install: 'pip install requests-oauthlib',
		run: 'python3 client.py',
		trust: 'REQUESTS_CA_BUNDLE',
		template: python,
		quote: doubleQuoted
	},
	{
		label: 'PHP',
		file: 'client.php',
		language: 'ts',
		run: 'php client.php',
		trust: 'SSL_CERT_FILE',
		template: php,
		quote: singleQuoted
	},
	{
		label: 'Go',
		file: 'client.go',
		language: 'ts',
		run: 'go run client.go',
		trust: 'SSL_CERT_FILE',
		template: go,
		quote: doubleQuoted
	},
	{
		label: 'Ruby',
		file: 'client.rb',
		language: 'python',
		run: 'ruby client.rb',
		trust: 'SSL_CERT_FILE',
		template: ruby,
		quote: singleQuoted
	},
	{
		label: 'C#',
		file: 'Program.cs',
		language: 'ts',
		install: 'dotnet new console',
		run: 'dotnet run',
		trust: 'SSL_CERT_FILE',
		template: csharp,
		quote: doubleQuoted
	}
];

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
