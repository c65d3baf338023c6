/** The program that runs an exported test. */
export type TestFramework = 'vitest' | 'playwright';

const shared = `
/** A value that only you know. */
function environment(name: string): string {
	const value = process.env[name];
	if (value === undefined) throw new Error(\`Set the environment variable \${name}.\`);
	return value;
}

/** The value after a text in a response: in its Location header, or in its body. */
function find(response: Response, before: string): string {
	const text = response.location || response.body;
	const start = text.indexOf(before);
	expect(start, \`The response contains \${before}\`).toBeGreaterThanOrEqual(0);
	return /^[\\w.~%+/=-]*/.exec(text.slice(start + before.length))?.[0] ?? '';
}

/** Expects these parts in a text, in this order. */
function expectParts(text: string, parts: string[]): void {
	let end = 0;
	for (const part of parts) {
		const start = text.indexOf(part, end);
		expect(start, \`\${JSON.stringify(part)} comes next in \${JSON.stringify(text.slice(end))}\`).toBeGreaterThanOrEqual(0);
		end = start + part.length;
	}
}

const random = (): string => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');`;

const vitest = `
type Response = { status: number; type: string; location: string; body: string };

const cookies = new Map<string, string>();

async function send(method: string, url: string, headers: Record<string, string>, body: string): Promise<Response> {
	const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
	const response = await fetch(url, {
		method,
		headers: cookie === '' ? headers : { ...headers, cookie },
		redirect: 'manual',
		...(body === '' ? {} : { body })
	});
	for (const line of response.headers.getSetCookie()) {
		const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
		if (value === '') cookies.delete(name);
		else cookies.set(name, value);
	}
	const header = (name: string) => response.headers.get(name) ?? '';
	return { status: response.status, type: header('content-type'), location: header('location'), body: await response.text() };
}`;

const playwright = `
type Response = { status: number; type: string; location: string; body: string };

test.use({ ignoreHTTPSErrors: new URL(base).hostname === 'localhost' });

let context: APIRequestContext;
test.beforeEach(({ request }) => void (context = request));

async function send(method: string, url: string, headers: Record<string, string>, data: string): Promise<Response> {
	const response = await context.fetch(url, { method, headers, maxRedirects: 0, ...(data === '' ? {} : { data }) });
	const { location = '', 'content-type': type = '' } = response.headers();
	return { status: response.status(), type, location, body: await response.text() };
}`;

/** The imports, and the base URL of the sandbox. */
export function importsOf(framework: TestFramework): string {
	const tools =
		framework === 'vitest'
			? `import { expect, test } from 'vitest';`
			: `import { expect, test, type APIRequestContext } from '@playwright/test';`;
	return `import { createHash, randomBytes } from 'node:crypto';\n${tools}\n`;
}

/** The functions that an exported test calls. */
export function helpersOf(framework: TestFramework): string {
	return `${framework === 'vitest' ? vitest : playwright}\n${shared}\n`;
}
