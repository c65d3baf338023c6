import type { Language } from '#ui/display/highlight.ts';

/** How to start a client, by what the developer uses. */
export const startKinds = {
	command: 'Command line',
	desktop: 'Desktop client',
	typescript: 'TypeScript',
	python: 'Python'
} as const;

export type StartKind = keyof typeof startKinds;

/**
 * Text to copy that connects a client.
 * @param server URL of the server for agents
 */
export function startCommand(kind: StartKind, server: string): { readonly code: string; readonly language: Language } {
	switch (kind) {
		case 'command':
			return { code: `npx tollgate exam --client mcp -- acme-agent --server ${server}`, language: 'shell' };
		case 'desktop':
			return { code: JSON.stringify({ mcpServers: { tollgate: { url: server } } }, undefined, '  '), language: 'json' };
		case 'typescript':
			return {
				code: `const transport = new StreamableHTTPClientTransport(new URL('${server}'), { authProvider });\nawait client.connect(transport);`,
				language: 'ts'
			};
		case 'python':
			return {
				code: `async with streamable_http_client("${server}", auth=provider) as (read, write):\n    session = ClientSession(read, write)`,
				language: 'python'
			};
	}
}
