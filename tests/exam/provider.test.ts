import { GitHub } from 'arctic';
import { expect, it } from 'vitest';
import { providerNames } from '#service/provider/providers.ts';
import { exampleProvider } from '#features/providers/example-provider.ts';
import { createService } from '#hosts/library/tollgate.ts';
import { exam } from '#hosts/library/exam.ts';
import type { ClientSettings } from './reference-client.ts';
import type { Mistake } from './mistakes.ts';
import { providerClient } from './provider-client.ts';
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

const providers = ['github', 'google', 'okta', 'keycloak', 'auth0', 'eve-online', 'apple'];

/** What the exam of a client of a provider finds wrong. */
async function wrongWith(as: string, mistakes: readonly Mistake[] = []): Promise<readonly string[]> {
	const { findings } = await takeExam((settings) => providerClient(as, settings, mistakes), { as });
	expect(findings.filter(({ verdict }) => verdict !== 'not_shown').length).toBeGreaterThan(20);
	return findings.filter(({ verdict }) => verdict === 'failed' || verdict === 'advice').map(({ rule }) => rule);
}

it.each(providers)('does not accuse a good client of %s', async (as) => {
	expect(await wrongWith(as)).toEqual([]);
});

it.each(providers.filter((name) => name !== 'apple'))('names mistakes of clients of %s', async (as) => {
	const aboutState = [
		'callback.foreign_code',
		'callback.state_required',
		'callback.state_of_browser',
		'callback.state_once'
	];
	const wrong = await wrongWith(as, ['state is not compared', 'no challenge', 'token in the URL']);
	expect(wrong).toEqual([...aboutState, 'call.header']);
});

it('examines a client of the API that the world of a service describes', async () => {
	const world = { format: 'tollgate-world', version: 1, provider: exampleProvider };
	const take = (mistakes: readonly Mistake[]) =>
		takeExam((settings) => providerClient('own', settings, mistakes), { as: 'own', world });
	const { provider, findings } = await take([]);
	expect(provider).toBe('Example Bank');
	expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
	expect(findings.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(20);
	expect(findings.find(({ rule }) => rule === 'signout.revoke')?.text).toBe(
		'Left out. Example Bank has no revocation in its file.'
	);
	const wrong = await take(['token in the URL']);
	expect(wrong.findings.filter(({ verdict }) => verdict === 'failed').map(({ rule }) => rule)).toEqual(['call.header']);
	const examination = { service: createService(), as: 'own', redirectUri: 'http://localhost:3000/callback' };
	await expect(exam({ ...examination, start: () => ({ signIn: () => Promise.resolve() }) })).rejects.toThrow(
		'The world of the service describes no API.'
	);
});

it('names a client of Okta that loses the new refresh token, although the old one works for 30 s', async () => {
	expect(await wrongWith('okta', ['keeps a replaced refresh token'])).toContain('token.keep_refresh_token');
});
