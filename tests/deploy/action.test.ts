import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { addOptions } from '#tooling/program/client-exam/choices.ts';
import { Command } from 'commander';
import { temporaryFolder } from '../hosts/temporary-folder.ts';

// The script of the action, with a program in place of npx that prints its arguments.

const step = v.object({ run: v.string(), env: v.record(v.string(), v.string()) });
const action = v.parse(
	v.object({
		inputs: v.record(v.string(), v.object({ default: v.optional(v.string()) })),
		runs: v.object({ steps: v.tuple([step]) })
	}),
	parse(readFileSync(join(import.meta.dirname, '../../action.yml'), 'utf8'))
);
const [{ run, env }] = action.runs.steps;
const contexts: Readonly<Record<string, string>> = {
	'github.server_url': 'https://github.example',
	'github.action_repository': 'owner/repository',
	'github.action_ref': 'v0.1.0'
};

/** Runs the step as GitHub does. @param given inputs by name */
async function runStep(given: Readonly<Record<string, string>>, more: typeof contexts = {}) {
	const folder = await temporaryFolder();
	const npx = join(folder, 'npx');
	writeFileSync(npx, '#!/bin/bash\nprintf "%s\\n" "$@"\n');
	chmodSync(npx, 0o755);
	const valueOf = (name: string) =>
		name.startsWith('inputs.')
			? (given[name.slice(7)] ?? action.inputs[name.slice(7)]?.default)
			: { ...contexts, ...more }[name];
	const variables = Object.fromEntries(
		Object.entries(env).map(([name, text]) => [
			name,
			text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, context: string) => valueOf(context) ?? `unknown ${context}`)
		])
	);
	const { status, stdout } = spawnSync('bash', ['-e', '-c', run], {
		encoding: 'utf8',
		env: { ...variables, PATH: `${folder}:${process.env.PATH ?? ''}` }
	});
	return { status, lines: stdout.trim().split('\n') };
}

test('examines the client that a command starts, with the package of the release', async () => {
	const { lines } = await runStep({
		start: 'npm start',
		'sign-in': 'http://localhost:3000/login',
		use: 'http://localhost:3000/me?name={name}',
		options: '--skip=request.extra\n--env\nA=b c'
	});
	expect(lines).toEqual([
		...['--yes', '--package', 'https://github.example/owner/repository/releases/download/v0.1.0/tollgate-0.1.0.tgz'],
		...['--', 'tollgate', 'exam', '--sign-in', 'http://localhost:3000/login'],
		...['--kind', 'web', '--dialect', 'specification', '--fail-on', '2'],
		...['--use', 'http://localhost:3000/me?name={name}', '--skip=request.extra', '--env', 'A=b c'],
		...['--', 'bash', '-c', 'exec npm start']
	]);
});

test('takes another package, and says what is missing without a release', async () => {
	const installed = { kind: 'installed', 'sign-in': 'client login', package: './tollgate.tgz' };
	expect((await runStep(installed)).lines.slice(1, 3)).toEqual(['--package', './tollgate.tgz']);
	const branch = await runStep({ 'sign-in': 'http://localhost:3000/login' }, { 'github.action_ref': 'main' });
	expect(branch).toEqual({
		status: 2,
		lines: ['::error::Name a release, such as @v1.2.3, or set the input package.']
	});
});

test('reads no input as shell', async () => {
	const { lines } = await runStep({ 'sign-in': '"; echo $(id) `id`', package: 'p' });
	expect(lines).toContain('"; echo $(id) `id`');
});

test('has the defaults of the command', () => {
	const command = addOptions(new Command());
	for (const { long, defaultValue } of command.options) {
		const input = action.inputs[(long ?? '').slice(2)];
		if (input !== undefined) expect(input.default ?? '').toBe(String(defaultValue ?? ''));
	}
});
