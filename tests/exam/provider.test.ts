import { GitHub } from 'arctic';
import { expect, it } from 'vitest';
import { providerNames } from '#service/provider/providers.ts';
import { createService } from '#hosts/library/tollgate.ts';
import { exam } from '#hosts/library/exam.ts';
import type { ClientSettings } from './reference-client.ts';
import { takeExam, type TestClient } from './take-exam.ts';

/** A web client of GitHub with `arctic`, which knows the real URLs only. */
function githubClient({ clientId, clientSecret, redirectUri }: ClientSettings): TestClient {
	const github = new GitHub(clientId, clientSecret, redirectUri);
	const states = new Set<string>();
	let token: string | undefined;
	let count = 0;
	return {
		async handle({ target }) {
			const { pathname, searchParams } = new URL(target, redirectUri);
			if (pathname === '/login') {
				const state = `${clientId}-${crypto.randomUUID()}-${++count}`;
				states.add(state);
				return { status: 302, location: github.createAuthorizationURL(state, ['user']).href, body: '' };
			}
			if (pathname === '/callback') {
				const code = searchParams.get('code');
				if (code === null || !states.delete(searchParams.get('state') ?? '')) return { status: 400, body: '' };
				token = (await github.validateAuthorizationCode(code)).accessToken();
				return { status: 200, body: '' };
			}
			if (token === undefined) return { status: 401, body: '' };
			const headers = { authorization: `Bearer ${token}`, 'user-agent': 'client' };
			return { status: (await fetch('https://api.github.com/user', { headers })).status, body: '' };
		}
	};
}

it('examines a client of GitHub at the real URLs, and leaves out what GitHub makes impossible', async () => {
	const only = ['request.state_*', 'exchange.once', 'call.header', 'callback.issuer', 'signout.revoke'];
	const { provider, dialect, findings } = await takeExam(githubClient, { as: 'github', only });
	expect([provider, dialect]).toEqual(['GitHub', 'standard']);
	expect(
		Object.fromEntries(findings.map(({ rule, verdict, text }) => [rule, verdict === 'not_shown' ? text : verdict]))
	).toMatchObject({
		'exchange.once': 'passed',
		'call.header': 'passed',
		'callback.issuer': 'Left out. GitHub does not name its issuer in responses.',
		'signout.revoke': 'Left out. GitHub has no revocation in its file.'
	});
});

it('names the providers that are simulated where another one is chosen', async () => {
	const start = () => ({ signIn: () => Promise.resolve() });
	const examination = { service: createService(), as: 'git-hub', redirectUri: 'http://localhost:3000/callback', start };
	await expect(exam(examination)).rejects.toThrow(
		`No provider "git-hub" is simulated. Use one of ${providerNames().join(', ')}.`
	);
});
