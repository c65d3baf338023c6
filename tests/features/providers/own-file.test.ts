import { expect, it } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { exampleProvider } from '#features/providers/example-provider.ts';
import { differencesOf, explainedText, readOwnFile } from '#features/providers/own/own-file.ts';
import { loadProviderFile, providerList } from '#features/providers/provider-files.ts';

const write = (file: unknown) => JSON.stringify(file, undefined, 2);
const lineOf = (text: string, part: string) => text.split('\n').findIndex((line) => line.includes(part)) + 1;

it('finds the mistakes of a file with their lines', () => {
	const { dialect } = exampleProvider;
	const wrong = write({
		...exampleProvider,
		dialect: { ...dialect, lifetimes: { accessToken: '15 minutes' }, pkc: 'optional' }
	});
	const read = readOwnFile(wrong);
	expect(read).toEqual({
		mistakes: [
			{ line: lineOf(wrong, '"15 minutes"'), reason: 'dialect.lifetimes.accessToken: Use a number.' },
			{ line: lineOf(wrong, '"pkc"'), reason: 'dialect.pkc: There is no such field. Remove it or correct its name.' }
		]
	});
	expect(readOwnFile('{\n  "title": "A",\n}')).toMatchObject({ mistakes: [{ line: 3 }] });
	const unknown = write(exampleProvider).replace('provider.error_status', 'provider.unknown');
	expect(readOwnFile(unknown)).toMatchObject({
		mistakes: [{ line: lineOf(unknown, 'provider.unknown'), reason: expect.stringContaining('Use the id of a check.') }]
	});
});

it('lists how an API differs from today’s standards, with the line that says it and what the file explains', () => {
	const text = write(exampleProvider);
	const read = readOwnFile(text);
	if (read.file === undefined) throw new Error('The example has mistakes.');
	const found = differencesOf(read.file, read.lines);
	expect(found.map(({ label, isExplained, line }) => [label, isExplained, line])).toEqual([
		['A used code', true, lineOf(text, '"status": 422')],
		['Fields of an error', false, lineOf(text, '"code": "{error}"') - 1],
		['A wrong secret', true, lineOf(text, '"status": 422')],
		['Access token lives', false, lineOf(text, '"accessToken"')],
		['Client credentials', false, lineOf(text, '"authentication"')],
		['PKCE', false, lineOf(text, '"pkce"')],
		['Over the limit', true, lineOf(text, '"status": 403')],
		['Headers of the limit', false, lineOf(text, '"x-bank-remaining": "{')],
		['Revocation', false, undefined]
	]);
});

it('explains a difference by what a response showed, and leaves the URL of its source to the author', () => {
	const read = readOwnFile(write(exampleProvider));
	if (read.file === undefined) throw new Error('The example has mistakes.');
	const difference = differencesOf(read.file, read.lines).find(({ label }) => label === 'Fields of an error');
	if (difference === undefined) throw new Error('There is no such difference.');
	const shown: Pick<TrafficEntry, 'trace' | 'response'> = {
		trace: [],
		response: { status: 422, headers: [], body: '' }
	};
	const text = explainedText(read.file, difference, shown, '2026-11-30');
	expect(readOwnFile(text)).toEqual({
		mistakes: [{ line: lineOf(text, '"https://"'), reason: 'sources.0.url: Write an https URL.' }]
	});
	const filled = readOwnFile(text.replace('"https://"', '"https://docs.bank.example/errors"'));
	if (filled.file === undefined) throw new Error('The file has mistakes.');
	expect(differencesOf(filled.file, filled.lines).find(({ label }) => label === 'Fields of an error')).toMatchObject({
		isExplained: true
	});
	expect(filled.file.surprises?.at(-1)).toMatchObject({
		fact: 'errors.token.body',
		check: 'provider.error_body',
		send: { situation: 'used_code' },
		expect: { status: 422 }
	});
});

it('begins with the file of each provider without a mistake', async () => {
	for (const { name, title } of providerList.slice(2)) {
		const { exampleScope, dialect, sources, surprises, notSimulated } = await loadProviderFile(name);
		const text = write({ title, exampleScope, dialect, sources, surprises, notSimulated });
		expect([name, readOwnFile(text)]).toEqual([name, { file: expect.anything(), lines: expect.anything() }]);
	}
});
