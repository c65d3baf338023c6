import { expect, test } from 'vitest';
import { deviations, type ProviderFile } from '#api/providers/provider-file.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { ProviderSandbox } from '#client/providers/provider-sandbox.ts';
import { exampleProvider } from '#features/providers/example-provider.ts';
import { createHostlessService } from '../../conformance/hosts/direct.ts';
import { fetchOf } from '../../exam/in-process.ts';

const files = import.meta.glob<ProviderFile>('../../../src/content/providers/*.yaml', {
	eager: true,
	import: 'default'
});
const surprises = Object.entries(files).flatMap(([path, file]) => {
	const name = path.replace(/^.*\/|\.yaml$/g, '');
	return file.surprises.map((surprise) => ({ name, file, surprise, title: surprise.title }));
});

const fetch = fetchOf(createHostlessService().handle);
const root = new ControlApi('https://tollgate.test', fetch);

test.each(surprises)('$name responds as its file says: $title', async ({ name, file, surprise }) => {
	const sandbox = await ProviderSandbox.create({ name, file, root, fetch, sendsKey: true });
	const { response, request, trace } = await sandbox.send(surprise.send);
	const found = deviations(surprise.expect, response);
	const checks = trace.map(({ id }) => id);
	expect({ found, checks }, `${request.method} ${request.target} ${request.body}\n${JSON.stringify(response)}`).toEqual(
		{
			found: [],
			checks: expect.arrayContaining([surprise.check])
		}
	);
});

test.each(exampleProvider.surprises ?? [])('the own API of a world responds as it says: $title', async (surprise) => {
	const world = { format: 'tollgate-world', version: 1, provider: exampleProvider };
	const sandbox = await ProviderSandbox.create({
		name: 'own',
		file: exampleProvider,
		world,
		root,
		fetch,
		sendsKey: true
	});
	const { response, trace } = await sandbox.send(surprise.send);
	expect(deviations(surprise.expect, response)).toEqual([]);
	expect(trace.map(({ id }) => id)).toContain(surprise.check);
});

test.each(['/../control/reset', '/%2e%2e/control/reset', '/.\\..\\..\\control/reset'])(
	'a surprise from an untrusted world sends nothing outside of its sandbox: %s',
	async (target) => {
		const options = { name: 'own', file: exampleProvider, root, fetch, sendsKey: true };
		const world = { format: 'tollgate-world', version: 1, provider: exampleProvider };
		const sandbox = await ProviderSandbox.create({ ...options, world });
		const sent = sandbox.send({ situation: 'request', request: { line: `POST ${target}` } });
		await expect(sent).rejects.toThrow(/is not in the sandbox/);
	}
);

test('a line of the trace has the name of the provider and of the surprise', async () => {
	const file = files['../../../src/content/providers/github.yaml'];
	const surprise = file?.surprises[0];
	if (file === undefined || surprise === undefined) throw new Error('There is no file of GitHub.');
	const sandbox = await ProviderSandbox.create({ name: 'github', file, root, fetch, sendsKey: true });
	const { trace } = await sandbox.send(surprise.send);
	const failed = trace.findIndex(({ id }) => id === 'token.code_not_used');
	expect(trace[failed]).toMatchObject({ outcome: 'failed' });
	expect(trace.find(({ id }) => id === 'provider.error_status')).toMatchObject({
		name: 'GitHub: errors have status 200',
		outcome: 'passed',
		detail: '200 in place of 400'
	});
});

const standard = files['../../../src/content/providers/standard.yaml'];
const differences = standard?.differences ?? [];
const created = new Map<string, Promise<ProviderSandbox>>();

/** As the page does, one sandbox of a dialect of our own is used for all. */
function sandboxOf(name: string): Promise<ProviderSandbox> {
	const file = files[`../../../src/content/providers/${name}.yaml`];
	if (file === undefined) throw new Error(`There is no file of ${name}.`);
	const one = created.get(name) ?? ProviderSandbox.create({ name, file, root, fetch, sendsKey: true });
	created.set(name, one);
	return one;
}

test.each(differences)(
	'both dialects of our own respond as documented: $id',
	async ({ send, expect: own, specification }) => {
		// A user can send a difference again.
		for (let times = 0; times < 2; times += 1) {
			for (const [name, expected] of [
				['standard', own],
				['specification', specification.expect]
			] as const) {
				const { response, request, trace } = await (await sandboxOf(name)).send(send);
				const found = deviations(expected, response);
				expect({ name, found }, `${request.method} ${request.target} ${JSON.stringify(trace.at(-1))}`).toEqual({
					name,
					found: []
				});
			}
		}
	}
);

test('ids of differences are unique', () => {
	expect(differences.length).toBeGreaterThan(20);
	expect(new Set(differences.map(({ id }) => id)).size).toBe(differences.length);
});

test('a response that is other than documented is named', () => {
	const received = { status: 200, headers: [['Vary', 'accept']], body: '"a"' } as const;
	expect(
		deviations({ status: 201, headers: { vary: null, age: '1' }, contains: ['"b"'], lacks: ['"a"'] }, received)
	).toEqual([
		'The status is 200, documented is 201.',
		'The response has vary.',
		'age is missing, documented is “1” in it.',
		'The body has no "b".',
		'The body has "a".'
	]);
	expect(deviations({ status: 200 }, null)).toEqual(['There was no response.']);
});
