import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pythonString, requestCode, scriptString } from '#features/inspector/copy-as/copy-as.ts';
import { shellArgument } from '#features/inspector/copy-as/curl.ts';
import type { Template } from '#features/inspector/copy-as/template.ts';
import { codePoint } from '../../code-point.ts';
import { logged, withBody } from './logged-exchange.ts';

const text = fc.string({ unit: codePoint, maxLength: 30 }).filter((one) => !one.includes('\0'));
const special = fc.stringMatching(/^[ '"`$\\{}!\n\r\t%&;|<>*?#~\u2028é🙂]{0,12}$/u);
const part = fc.oneof(
	fc.oneof(text, special).map((text) => ({ text })),
	fc.constant({ variable: 'CODE_3' })
);
const template = fc.array(part, { maxLength: 5 });
/** The value of the variable in the tests. */
const secret = `it's "$5" \`x\` \\n`;
const valueOf = (one: Template) => one.map((part) => ('variable' in part ? secret : part.text)).join('');

test('an argument survives the quoting of a shell', () => {
	fc.assert(
		fc.property(fc.array(template, { minLength: 40, maxLength: 80 }), (list) => {
			const script = `printf '%s\\0' ${list.map(shellArgument).join(' ')}`;
			const printed = execFileSync('/bin/sh', ['-c', script], { env: { CODE_3: secret }, encoding: 'utf8' });
			expect(printed.split('\0').slice(0, -1)).toEqual(list.map(valueOf));
		}),
		{ numRuns: 15 }
	);
});

test('a text survives the quoting of JavaScript', () => {
	const process = { env: { CODE_3: secret } };
	fc.assert(
		fc.property(template, (one) => {
			expect(runInNewContext(scriptString(one), { process })).toBe(valueOf(one));
		}),
		{ examples: [[[{ text: '$' }, { text: '{' }]]] }
	);
});

test('a text survives the quoting of Python, whose literals have the same escapes', () => {
	const os = { environ: { CODE_3: secret } };
	fc.assert(
		fc.property(template, (one) => {
			expect(runInNewContext(pythonString(one), { os })).toBe(valueOf(one));
		})
	);
});

test('writes a token request in four languages, with secrets as variables', () => {
	const code = Object.fromEntries(requestCode(logged(), 'https://tollgate.test').map(({ name, code }) => [name, code]));
	expect(code).toMatchInlineSnapshot(`
		{
		  "Python": "import os
		import requests

		response = requests.request(
		    'POST', 'https://tollgate.test/ws/oauth2/token/',
		    data=[
		        ('grant_type', 'authorization_code'),
		        ('client_id', 'character-viewer'),
		        ('client_secret', os.environ['CLIENT_SECRET_1']),
		        ('code', os.environ['CODE_3']),
		        ('redirect_uri', 'https://client.example/cb'),
		    ],
		    allow_redirects=False, timeout=10,
		)
		print(response.status_code, response.text)",
		  "curl": "curl -i --globoff --path-as-is 'https://tollgate.test/ws/oauth2/token/' \\
		  --data-urlencode 'grant_type=authorization_code' \\
		  --data-urlencode 'client_id=character-viewer' \\
		  --data-urlencode 'client_secret='"$CLIENT_SECRET_1" \\
		  --data-urlencode 'code='"$CODE_3" \\
		  --data-urlencode 'redirect_uri=https://client.example/cb'",
		  "fetch": "const response = await fetch('https://tollgate.test/ws/oauth2/token/', {
		  method: 'POST',
		  body: new URLSearchParams({
		    grant_type: 'authorization_code',
		    client_id: 'character-viewer',
		    client_secret: process.env.CLIENT_SECRET_1,
		    code: process.env.CODE_3,
		    redirect_uri: 'https://client.example/cb'
		  }),
		  redirect: 'manual'
		});
		console.log(response.status, await response.text());",
		  "oauth4webapi": "import * as oauth from 'oauth4webapi';

		const server = { issuer: 'https://tollgate.test', token_endpoint: 'https://tollgate.test/ws/oauth2/token/' };
		const client = { client_id: 'character-viewer' };

		const response = await oauth.genericTokenEndpointRequest(
		  server,
		  client,
		  oauth.ClientSecretPost(process.env.CLIENT_SECRET_1),
		  'authorization_code',
		  new URLSearchParams({
		    code: process.env.CODE_3,
		    redirect_uri: 'https://client.example/cb'
		  })
		);
		const tokens = await oauth.processGenericTokenEndpointResponse(server, client, response, {
		  recognizedTokenTypes: { oauth: () => {} }
		});
		console.log(tokens);",
		}
	`);
	expect(JSON.stringify(code)).not.toMatch(/[‹›]|GQVJab/);
});

test("takes the token endpoint from the metadata in the dialect of today's standards", () => {
	const line = { name: '', outcome: 'passed', detail: '', duration_us: 1 } as const;
	const entry = withBody('grant_type=refresh_token&refresh_token=abc', {
		trace: [{ ...line, id: 'token.method_is_post', section: 'RFC 6749 §3.2' }]
	});
	const authorization: [string, string] = ['Authorization', 'Basic ‹hidden›'];
	const target = '/~abc/ws/oauth2/token/';
	const sent = { ...entry, request: { ...entry.request, target, headers: [...entry.request.headers, authorization] } };
	const code = requestCode(sent, 'https://tollgate.test').find(({ name }) => name === 'oauth4webapi')?.code;
	expect(code).toMatchInlineSnapshot(`
		"import * as oauth from 'oauth4webapi';

		const issuer = new URL('https://tollgate.test/~abc');
		const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' }));
		const client = { client_id: 'character-viewer' };

		const response = await oauth.genericTokenEndpointRequest(
		  server,
		  client,
		  oauth.ClientSecretBasic(process.env.CLIENT_SECRET),
		  'refresh_token',
		  new URLSearchParams({
		    refresh_token: 'abc'
		  })
		);
		const tokens = await oauth.processGenericTokenEndpointResponse(server, client, response);
		console.log(tokens);"
	`);
});

test('writes a resource request with its token as a variable, and without the cookies that the resource ignores', () => {
	const entry = logged({
		endpoint: 'character',
		values: [{ label: 'access token 7', preview: 'abcdef…', id: 'digest of the token' }],
		request: {
			method: 'GET',
			target: "/ws/v2.0/character/Tomas%20d'Arc",
			headers: [
				['authorization', 'OAuth ‹access token 7 abcdef…›'],
				['cookie', '••••'],
				['user-agent', 'x']
			],
			body: ''
		}
	});
	const [curl, , python] = requestCode(entry, 'https://tollgate.test');
	expect(curl?.code).toBe(
		`curl -i --globoff --path-as-is 'https://tollgate.test/ws/v2.0/character/Tomas%20d'\\''Arc' \\\n  -H 'authorization: OAuth '"$ACCESS_TOKEN_7"`
	);
	expect(python?.code).toContain("'OAuth ' + os.environ['ACCESS_TOKEN_7']");
	expect(requestCode({ ...entry, endpoint: 'auth' }, 'https://tollgate.test')[0]?.code).toContain('"$COOKIE"');
});

test('names the environment variables of hidden values from a fixed list', () => {
	const body = 'aws_secret_access_key=••••&PATH=••••&client_secret=••••&password=••••';
	const [curl, fetch, python] = requestCode(withBody(body), 'https://tollgate.test');
	const names = (code: string | undefined, pattern: RegExp) =>
		[...(code ?? '').matchAll(pattern)].map(([, name]) => name);
	const expected = ['TOLLGATE_VALUE_1', 'TOLLGATE_VALUE_2', 'CLIENT_SECRET', 'PASSWORD'];
	expect(names(curl?.code, /"\$(\w+)"/g)).toEqual(expected);
	expect(names(fetch?.code, /process\.env\.(\w+)/g)).toEqual(expected);
	expect(names(python?.code, /os\.environ\['(\w+)'\]/g)).toEqual(expected);
});

test('a marker of an unknown kind of value is text', () => {
	const entry = withBody('code=‹PATH 1›', { values: [{ label: 'PATH 1', preview: '', id: 'x' }] });
	expect(requestCode(entry, 'https://tollgate.test')[0]?.code).not.toContain('$');
});

test('curl sends a path with brackets and dot segments as it was recorded', () => {
	const target = '/ws/v2.0/character/x[1-3]{a,b}/../../y';
	const entry = logged({ request: { method: 'GET', target, headers: [], body: '' } });
	const script = `curl() { printf '%s\\n' "$@"; }\n${requestCode(entry, 'https://tollgate.test')[0]?.code ?? ''}`;
	const words = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\n');
	expect(words).toEqual(['-i', '--globoff', '--path-as-is', `https://tollgate.test${target}`, '']);
});

test('leaves out what is no header name, which curl could read as an option', () => {
	const headers = [['@/home/user/.netrc', 'x'] as const, ['Accept', 'text/html'] as const];
	const entry = logged({ request: { method: 'GET', target: '/', headers, body: '' } });
	for (const { code } of requestCode(entry, 'https://tollgate.test')) expect(code).not.toContain('netrc');
});

test('writes a header named __proto__ into a fetch call that parses', () => {
	const headers = [['__proto__', 'x'] as const, ['Accept', 'text/html'] as const];
	const entry = logged({ request: { method: 'GET', target: '/', headers, body: '' } });
	const code = requestCode(entry, 'https://tollgate.test').find(({ name }) => name === 'fetch')?.code ?? '';
	const calls: unknown[] = [];
	const fetch = (_url: string, init: unknown) => (calls.push(init), { text: () => '' });
	runInNewContext(`(async () => {\n${code}\n})()`, { fetch, console: { log: () => undefined } });
	expect(calls).toMatchObject([{ headers }]);
});
