import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { examResult } from '#api/exam.ts';
import { runProgram } from '#tooling/program/run-program.ts';
import { temporaryFolder } from '../hosts/temporary-folder.ts';
import { freePort } from '../tooling/exam/free-port.ts';

const folder = join(import.meta.dirname, '../exam/programs');

/** A client of another language, and what tells whether this machine can run it. */
type Program = {
	readonly name: string;
	/** Debian's packages. */
	readonly needs: string;
	readonly probe: readonly string[];
	/** The options of the exam, with the command behind the dashes. */
	readonly options: (port: number, data: string) => readonly string[];
};

const pages = (port: number) => [
	'--sign-in',
	`http://localhost:${port}/login`,
	'--use',
	`http://localhost:${port}/me`,
	'--sign-out',
	`http://localhost:${port}/logout`,
	'--'
];
// Debian's packages belong to Debian's Python.
const python = '/usr/bin/python3';
const web = (script: string) => join(folder, script);

const programs: readonly Program[] = [
	{
		name: 'requests-oauthlib',
		needs: 'python3-requests-oauthlib',
		probe: [python, '-c', 'import requests_oauthlib'],
		options: (port) => [...pages(port), python, web('web_client.py'), String(port), 'requests-oauthlib']
	},
	{
		name: 'Authlib',
		needs: 'python3-authlib and python3-requests',
		probe: [python, '-c', 'import authlib, requests'],
		options: (port) => [...pages(port), python, web('web_client.py'), String(port), 'authlib']
	},
	{
		name: 'the gem oauth2',
		needs: 'ruby-oauth2 and ruby-webrick',
		probe: ['ruby', '-e', 'require "oauth2"; require "webrick"'],
		options: (port) => [...pages(port), 'ruby', web('web_client.rb'), String(port)]
	},
	{
		name: 'curl and a code that the user copies',
		needs: 'curl and openssl',
		probe: ['sh', '-c', 'command -v curl && command -v openssl && command -v flock'],
		options: (_port, data) => {
			const script = `sh ${web('curl-client.sh')} ${data}`;
			return [
				...['--kind', 'installed', '--callback', 'urn:ietf:wg:oauth:2.0:oob'],
				...['--sign-in', `${script} login`, '--use', `${script} show '{name}'`, '--sign-out', `${script} logout`]
			];
		}
	}
];

describe.each(programs)('a client with $name', ({ needs, probe: [program = '', ...rest], options }) => {
	const isThere = spawnSync(program, rest, { stdio: 'ignore' }).status === 0;

	it.for([1, 2])('fails no rule with seed %i', { timeout: 400_000 }, async (seed, { skip }) => {
		skip(!isThere, `Needs the packages ${needs}.`);
		const data = await temporaryFolder();
		const file = join(data, 'exam.json');
		const printed: string[] = [];
		for (const method of ['log', 'error'] as const)
			vi.spyOn(console, method).mockImplementation((text = '') => void printed.push(String(text)));
		const choices = ['--seed', String(seed), '--json', file];
		const exitCode = await runProgram(['exam', ...choices, ...options(await freePort(), data)], '.');
		vi.restoreAllMocks();
		expect(exitCode, printed.join('\n')).toBe(0);
		const { findings, counts, probes } = v.parse(examResult, JSON.parse(readFileSync(file, 'utf8')));
		expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
		expect(probes?.filter(({ outcome }) => outcome === 'timed_out')).toEqual([]);
		expect(counts.passed).toBeGreaterThanOrEqual(30);
	});
});
