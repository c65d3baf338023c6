import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

// Clients in other languages, unmodified, run as `npx tollgate as` starts them. Each prints the rows of the table that it has shown.

const tollgate = join(import.meta.dirname, '../../build/host/tollgate.js');
const folder = join(import.meta.dirname, 'provider-programs');
const providers = 'github,google,okta,keycloak,atlassian';
const application = ['--client-id', 'my-app', '--client-secret', 'my-secret'];
const redirect = ['--redirect-uri', 'http://localhost:3000/callback'];

/** Debian has the package of Go without a module. */
const goEnv = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode' };

const programs = [
	{
		client: /Authlib/,
		needs: 'python3-authlib and python3-requests',
		probe: ['/usr/bin/python3', '-c', 'import authlib, requests'],
		command: ['/usr/bin/python3', 'with_authlib.py']
	},
	{
		client: /golang/,
		needs: 'golang-go and golang-golang-x-oauth2-dev',
		probe: ['go', 'list', 'golang.org/x/oauth2'],
		command: ['go', 'run', 'with_oauth2.go']
	},
	{
		client: /omniauth/,
		needs: 'ruby-omniauth-github, ruby-omniauth-atlassian-oauth2 and ruby-omniauth-openid-connect',
		probe: [
			'/usr/bin/ruby',
			'-e',
			'require "omniauth-github"; require "omniauth-atlassian-oauth2"; require "omniauth_openid_connect"'
		],
		command: ['/usr/bin/ruby', 'with_omniauth.rb']
	}
] as const;

const env = { ...process.env, ...goEnv };

describe('clients in other languages at the real URLs', () => {
	it.for(programs)('$command sign in, call and read what surprises', ({ client, needs, probe, command }, { skip }) => {
		const [program, ...words] = probe;
		if (spawnSync(program, words, { env }).status !== 0) skip(`Needs the packages ${needs}.`);
		const text = readFileSync('src/content/docs/providers.md', 'utf8');
		const table = text.slice(text.indexOf('### In other languages'), text.indexOf('## Add a provider'));
		const rows = table.split('\n').filter((line) => line.startsWith('| `') && client.test(line.split('|')[1] ?? ''));
		const args = [tollgate, 'as', providers, ...application, ...redirect, '--', ...command];
		const ended = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder, env });
		expect(ended.status, ended.stderr).toBe(0);
		expect(ended.stdout.trim().split('\n').toSorted()).toEqual(rows.toSorted());
	});
});
