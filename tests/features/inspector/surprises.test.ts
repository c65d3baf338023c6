import { expect, test } from 'vitest';
import type { ProviderFile, Sending } from '#api/providers/provider-file.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { ProviderSandbox } from '#client/providers/provider-sandbox.ts';
import { describeOutcome } from '#evidence/describe-exchange.ts';
import { FilterChoices } from '#features/inspector/filter-choices.ts';
import { emptyFilter, matcher } from '#features/inspector/inspector-filter.ts';
import { nextRequest, providerOf, providerOfLatest, surprisesIn, surpriseWord } from '#features/inspector/surprises.ts';
import { createHostlessService } from '../../conformance/hosts/direct.ts';
import { fetchOf } from '../../exam/in-process.ts';

const files = import.meta.glob<ProviderFile>('../../../src/content/providers/*.yaml', {
	eager: true,
	import: 'default'
});
const abouts = import.meta.glob<Pick<ProviderFile, 'short'>>('../../../src/content/providers/*.yaml', {
	eager: true,
	import: 'default',
	query: '?about'
});
const fetch = fetchOf(createHostlessService().handle);
const root = new ControlApi('https://tollgate.test', fetch);

async function sandboxOf(name: string): Promise<ProviderSandbox> {
	const file = files[`../../../src/content/providers/${name}.yaml`];
	if (file === undefined) throw new Error(`There is no file of ${name}.`);
	return ProviderSandbox.create({ name, file, root, fetch, sendsKey: true });
}

const decided = Object.entries(files).flatMap(([path, { surprises }]) => {
	const name = path.replace(/^.*\/|\.yaml$/g, '');
	const titles = surprises.map(({ title }) => `${abouts[path]?.short}: ${title}`.toLowerCase());
	return surprises
		.filter(({ check, send }) => check.startsWith('provider.') && send.situation !== 'over_limit')
		.map(({ title, send }) => ({ name, title, send, titles }));
});

test.each(decided)('says in two words that $name surprises: $title', async ({ name, send, titles }) => {
	const entry = await (await sandboxOf(name)).send(send);
	const word = surpriseWord(entry) ?? '';
	expect(word.split(' ').length, word).toBeLessThanOrEqual(2);
	expect(word).not.toBe('');
	expect(providerOf(entry)).toBe(name);
	const names = surprisesIn(entry).map((line) => line.name.toLowerCase());
	expect(names.filter((one) => !titles.includes(one))).toEqual([]);
});

test('names the status, or the form of the response', async () => {
	const github = await sandboxOf('github');
	const wordOf = async (send: Sending) => surpriseWord(await github.send(send));
	expect(await wordOf({ situation: 'used_code' })).toBe('Status 200');
	expect(await wordOf({ situation: 'sign_in', headers: { accept: '*/*' } })).toBe('Form');
	// The API has other fields than that of the service, which is no surprise of the file.
	expect(await wordOf({ situation: 'api' })).toBeUndefined();
});

test('says what an exchange led to, and not how the provider says it', async () => {
	const github = await sandboxOf('github');
	const outcomeOf = async (send: Sending) => describeOutcome(await github.send(send)).text;
	expect(await outcomeOf({ situation: 'sign_in' })).toBe('Tokens issued');
	expect(await outcomeOf({ situation: 'api' })).not.toContain('GitHub');
	expect(await outcomeOf({ situation: 'used_code' })).toBe('Code used twice');
});

test('finds the exchanges in which a provider surprises, and counts them as they come and go', async () => {
	const github = await sandboxOf('github');
	const entries = [
		await github.send({ situation: 'used_code' }),
		await github.send({ situation: 'api' }),
		await github.send({ situation: 'sign_in', headers: { accept: '*/*' } })
	];
	const found = entries.map(matcher({ ...emptyFilter, outcome: 'surprise' }));
	expect(found).toEqual([true, false, true]);
	const choices = new FilterChoices();
	choices.update(entries);
	expect(choices.surprises).toBe(2);
	choices.update(entries.slice(1));
	expect(choices.surprises).toBe(1);
});

test('names the provider at which a client signed in at last', async () => {
	const [github, google] = [await sandboxOf('github'), await sandboxOf('google')];
	const signIn = { situation: 'sign_in' } as const;
	const entries = [await github.send(signIn), await google.send(signIn), await github.send({ situation: 'api' })];
	expect(providerOfLatest(entries)).toBe('google');
	expect(providerOfLatest(entries.slice(2))).toBeUndefined();
	const standard = await (await sandboxOf('standard')).send(signIn);
	expect(providerOfLatest([...entries, standard])).toBeUndefined();
});

test('says that a client took an error for a token', async () => {
	const github = await sandboxOf('github');
	const rejected = await github.send({ situation: 'used_code' });
	const call = (authorization: string) =>
		github.send({
			situation: 'request',
			request: { line: 'GET /as/github/user', headers: { authorization, 'user-agent': 'client' } }
		});
	const later = await call('Bearer undefined');
	const sent = { ...rejected, request: { ...rejected.request, headers: later.request.headers } };
	expect(nextRequest(sent, [sent, later])).toMatchObject({
		entry: { id: later.id },
		authorization: 'Bearer undefined',
		tookErrorForToken: true
	});
	const other = { ...later, address: '192.0.2.1' };
	expect(nextRequest(sent, [sent, other])).toBeUndefined();
});
