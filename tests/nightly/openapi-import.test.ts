import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dialectNames, dialects, type DialectName } from '#api/dialect.ts';
import { socketTransport } from '../conformance/hosts/sockets.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import { standardTokens } from '../conformance/standard.ts';
import type { Transport } from '../conformance/transport.ts';
import { builtHost, dataFolder, startServer } from '../run/server.js';

// Programs of others read the OpenAPI document of a sandbox. What they generate reads a character and moves the clock, without an edit:
// the address, the place of each credential and the fields are those of the document.

const run = promisify(execFile);
const project = mkdtempSync(join(tmpdir(), 'openapi-import-'));
const data = dataFolder();
let transport: Transport;

/** Versions that run in Node 20. */
const packages = [
	...['openapi-to-postmanv2@6.3.3', 'newman@6.2.2', '@redocly/cli@2.77.0', '@hey-api/openapi-ts@0.95.0'],
	...['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@20'],
	...['swagger-client@3.37.8', 'openapi-client-axios@7.9.1', 'axios@1.21.1', 'js-yaml@4']
];

/** What the linter says for other reasons: paths of the specification, a server on this machine, and an endpoint that only redirects. */
const expectedProblems = [
	'no-path-trailing-slash #/paths/~1ws~1oauth2~1auth~1',
	'no-path-trailing-slash #/paths/~1ws~1oauth2~1token~1',
	'info-license #/info',
	'no-server-example.com #/servers/0/url',
	'operation-2xx-response #/paths/~1control~1authorization-response/get/responses'
];
const problems = v.object({
	problems: v.array(v.object({ ruleId: v.string(), location: v.array(v.object({ pointer: v.string() })) }))
});

const tsconfig = {
	compilerOptions: {
		...{ target: 'es2022', module: 'nodenext', lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'] },
		...{ strict: true, outDir: 'out', rootDir: '.', skipLibCheck: true }
	}
};

type Importer = {
	readonly name: string;
	/** What makes a client of `openapi.json`. */
	readonly generate?: readonly (readonly string[])[];
	/** Compiled and run. `credential` is what the document describes: with the scheme in front, or without. */
	readonly code: string;
};

const importers: readonly Importer[] = [
	{
		name: '@hey-api/openapi-ts',
		generate: [['openapi-ts', '--file', 'hey-api.config.js']],
		code: `import { client } from './generated/client.gen.js';
import { moveClock, character } from './generated/sdk.gen.js';
client.setConfig({ auth: (scheme) => (scheme.name === 'X-Tollgate-Key' ? key : credential) });
const { data } = await character({ path: { character_name: 'Mara Vell' } });
const { data: moved } = await moveClock({ body: { advance: 60 } });
print(data?.name, moved?.offset);`
	},
	{
		name: 'openapi-typescript',
		generate: [['openapi-typescript', 'openapi.json', '--output', 'types.ts']],
		code: `import createClient from 'openapi-fetch';
import type { paths } from './types.js';
const client = createClient<paths>({ baseUrl: base, headers: { 'X-Tollgate-Key': key, Authorization: authorization } });
const { data } = await client.GET('/ws/v2.0/character/{character_name}', { params: { path: { character_name: 'Mara Vell' } } });
const { data: moved } = await client.POST('/control/clock', { body: { advance: 60 } });
print(data?.name, moved?.offset);`
	},
	{
		name: 'swagger-client',
		code: `import { readFileSync } from 'node:fs';
// @ts-expect-error It has no types.
import SwaggerClient from 'swagger-client';
const scheme = authorization.startsWith('Bearer') ? 'bearerToken' : 'accessToken';
const client = await SwaggerClient({ spec: JSON.parse(readFileSync('openapi.json', 'utf8')), authorizations: { [scheme]: credential, sandboxKey: key } });
if (client.errors.length > 0) throw new Error(JSON.stringify(client.errors));
const { body } = await client.execute({ operationId: 'character', parameters: { character_name: 'Mara Vell' } });
const { body: moved } = await client.execute({ operationId: 'moveClock', requestBody: { advance: 60 } });
print(body.name, moved.offset);`
	},
	{
		name: 'openapi-client-axios',
		code: `import { OpenAPIClientAxios } from 'openapi-client-axios';
const headers = { 'X-Tollgate-Key': key, Authorization: authorization };
const api = new OpenAPIClientAxios({ definition: base + '/openapi.json', axiosConfigDefaults: { headers } });
const client = await api.init();
const { data } = await client.character!('Mara Vell');
const { data: moved } = await client.moveClock!(undefined, { advance: 60 });
print(data.name, moved.offset);`
	},
	{
		name: 'openapi-to-postmanv2',
		// The collection asks for one value for all keys, so the clock gets its key by a second run.
		code: `import { readFileSync } from 'node:fs';
import converter from 'openapi-to-postmanv2';
// @ts-expect-error It has no types.
import newman from 'newman';
const converted: any = await new Promise((resolve, reject) => {
	const done = (error: unknown, result: unknown) => (error ? reject(error) : resolve(result));
	converter.convertV2({ type: 'string', data: readFileSync('openapi.json', 'utf8') }, { parametersResolution: 'Example' }, done);
});
if (!converted.result) throw new Error(converted.reason);
const collection = converted.output[0].data;
const send = (folder: string, apiKey: string): Promise<any> =>
	new Promise((resolve, reject) => {
		const values = Object.entries({ apiKey, bearerToken: apiKey }).map(([key, value]) => ({ key, value, enabled: true }));
		const done = (error: unknown, summary: any) =>
			error ? reject(error) : resolve(JSON.parse(summary.run.executions[0].response.stream.toString()));
		newman.run({ collection, folder, envVar: values, reporters: [], sslExtraCaCerts: process.env.NODE_EXTRA_CA_CERTS }, done);
	});
const { name } = await send('Read a character', credential);
const { offset } = await send('Move the clock', key);
print(name, offset);`
	}
];

const prelude = `const { BASE: base = '', KEY: key = '', CREDENTIAL: credential = '', AUTHORIZATION: authorization = '' } = process.env;
const print = (name: unknown, offset: unknown) => console.log(JSON.stringify([name, typeof offset]));
`;

beforeAll(async () => {
	const server = await startServer([process.execPath, builtHost], { PORT: '0', DATA_DIR: data.path });
	transport = socketTransport(server.origin, () => server.close());
	writeFileSync(join(project, 'package.json'), '{"name":"other","private":true,"type":"module"}');
	const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
	await run('npm', ['install', ...options, ...packages], { cwd: project });
}, 600_000);

afterAll(async () => {
	await transport.close();
	data.remove();
	rmSync(project, { recursive: true, force: true });
});

const program = (name: string) => join(project, 'node_modules/.bin', name);

describe.each(dialectNames)('the OpenAPI document of a sandbox in the dialect %s', (dialect: DialectName) => {
	const folder = join(project, dialect);
	let env: NodeJS.ProcessEnv;

	beforeAll(async () => {
		const at = await Sandbox.create(transport);
		await at.changeSettings({ dialect });
		const { access_token } = dialect === 'standard' ? await standardTokens(at) : await at.user().tokens();
		const authorization = `${dialects[dialect].tokenType} ${access_token}`;
		env = {
			...process.env,
			NODE_OPTIONS: '',
			NODE_EXTRA_CA_CERTS: join(data.path, 'tls/ca.pem'),
			BASE: at.base_url,
			KEY: at.key,
			// A scheme of HTTP adds its name, a header does not.
			CREDENTIAL: dialect === 'standard' ? access_token : authorization,
			AUTHORIZATION: authorization
		};
		mkdirSync(folder);
		writeFileSync(join(folder, 'openapi.json'), (await at.get('/openapi.json')).text);
		writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...tsconfig, files: ['client.ts'] }));
		writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
		const output = `{ path: 'generated', importFileExtension: '.js' }`;
		writeFileSync(join(folder, 'hey-api.config.js'), `export default { input: 'openapi.json', output: ${output} };`);
	});

	test('@redocly/cli has nothing to say of it', async () => {
		const linted = await run(program('redocly'), ['lint', 'openapi.json', '--format=json'], { cwd: folder, env }).catch(
			// It exits with 1 for the paths of the specification.
			(error: unknown) => v.parse(v.object({ stdout: v.string() }), error)
		);
		const found = v.parse(problems, JSON.parse(linted.stdout.slice(linted.stdout.indexOf('{'))));
		const texts = found.problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer ?? ''}`);
		expect(texts.sort()).toEqual([...expectedProblems].sort());
	});

	test.each(importers)('$name makes a client that is authenticated', async ({ generate, code }) => {
		for (const [name = '', ...args] of generate ?? []) {
			const { stdout, stderr } = await run(program(name), args, { cwd: folder, env });
			expect(stdout + stderr).not.toMatch(/warn|error|fail/i);
		}
		writeFileSync(join(folder, 'client.ts'), code.replace(/^(?=(?!import |\/\/ ))/m, prelude));
		await run(program('tsc'), [], { cwd: folder, env }).catch((error: unknown) => expect.fail(JSON.stringify(error)));
		const { stdout, stderr } = await run(process.execPath, ['out/client.js'], { cwd: folder, env });
		expect(stderr).toBe('');
		expect(stdout.trim()).toBe('["Mara Vell","number"]');
	});
});
