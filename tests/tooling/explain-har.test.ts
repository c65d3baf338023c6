import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { runProgram } from '#tooling/program/run-program.ts';
import { exampleHar } from '#features/traffic/example-har.ts';
import { makeHar } from '../evidence/har/make-har.ts';
import { recordings } from '../evidence/har/recordings.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-explain-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function explain(har: string, ...options: string[]) {
	for (const name of ['STORE', 'DATA_DIR']) vi.stubEnv(name, 'unused');
	let printed = '';
	for (const name of ['log', 'error'] as const)
		vi.spyOn(console, name).mockImplementation((text: string) => void (printed += text));
	const file = join(folder, 'sign-in.har');
	writeFileSync(file, har);
	return { exitCode: await runProgram(['explain', file, ...options], root), printed };
}

test('explains a broken sign-in as text, Markdown and JSON', async () => {
	const har = recordings.codeTwice?.har ?? '';
	const text = await explain(har);
	expect(text.exitCode).toBe(1);
	expect(text.printed).toContain(
		'sign-in.har: 4 of 4 requests belong to a sign-in\nRecorded by Chrome on 2026-11-24, 09:12 UTC.'
	);
	expect(text.printed).toContain('- The code is used twice (severity 2)');
	expect((await explain(har, '--markdown')).printed).toContain('- **The code is used twice** (severity 2)');
	const { printed } = await explain(har, '--json', '--no-hosts');
	expect(JSON.parse(printed).findings[0]).toMatchObject({ id: 'cause.code_used', state: 'failed' });
	expect(printed).not.toMatch(/canary|meridian|fabrikam/);
});

test('exits with 0 if nothing failed, and with 2 if the file cannot be read', async () => {
	expect((await explain(recordings.google?.har ?? '')).exitCode).toBe(0);
	const cut = (recordings.google?.har ?? '').slice(0, -40);
	const { exitCode, printed } = await explain(cut);
	expect(exitCode).toBe(2);
	expect(printed).toMatch(
		/^sign-in\.har: The file ends in the middle of entry 8\. [^]*--part reads the first 7 entries\.$/
	);
	expect((await explain(cut, '--part')).exitCode).toBe(0);
	expect(JSON.parse((await explain('{}', '--json')).printed)).toMatchObject({
		kind: 'unreadable',
		file: 'sign-in.har'
	});
});

test('rejects a second file of a browser, whose requests belong to no client', async () => {
	const { exitCode, printed } = await explain(exampleHar(), join(folder, 'sign-in.har'));
	expect([exitCode, printed]).toEqual([2, expect.stringMatching(/^Two files have requests of a browser only\./)]);
});

test('exits with 3 if nothing failed, and the file does not show whether the sign-in worked', async () => {
	const entries = [
		{ at: 0, url: 'https://auth.example/authorize?response_type=code&client_id=a&state=f0Qk3WbB7sYhT2n' }
	];
	const { exitCode, printed } = await explain(makeHar(entries.map((one) => ({ ...one, html: '<form></form>' }))));
	expect(exitCode).toBe(3);
	expect(printed).toContain(
		'Whether the sign-in worked: not shown. The file ends before the provider sends a response, at a page of the provider.'
	);
});
