import { expect, test } from 'vitest';
import type { ProviderFile } from '#api/providers/provider-file.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { ProviderSandbox } from '#client/providers/provider-sandbox.ts';
import { deviations } from '#evidence/differences/difference.ts';
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
	const { response, request, trace } = await sandbox.send(surprise);
	const found = response === null ? ['no response'] : deviations(surprise.expect, response);
	const checks = trace.map(({ id }) => id);
	expect({ found, checks }, `${request.method} ${request.target} ${request.body}\n${JSON.stringify(response)}`).toEqual(
		{
			found: [],
			checks: expect.arrayContaining([surprise.check])
		}
	);
});

test('a line of the trace has the name of the provider and of the surprise', async () => {
	const file = files['../../../src/content/providers/github.yaml'];
	const surprise = file?.surprises[0];
	if (file === undefined || surprise === undefined) throw new Error('There is no file of GitHub.');
	const sandbox = await ProviderSandbox.create({ name: 'github', file, root, fetch, sendsKey: true });
	const { trace } = await sandbox.send(surprise);
	const failed = trace.findIndex(({ id }) => id === 'token.code_not_used');
	expect(trace[failed]).toMatchObject({ outcome: 'failed' });
	expect(trace.find(({ id }) => id === 'provider.error_status')).toMatchObject({
		name: 'GitHub: errors have status 200',
		outcome: 'passed',
		detail: '200 in place of 400'
	});
});
