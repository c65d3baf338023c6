import { describe, expect, it } from 'vitest';
import type { DialectName } from '#api/dialect.ts';
import { withCookies, withForms } from './form-post-client.ts';
import type { Habit } from './habits.ts';
import { withButtons } from './button-client.ts';
import { ReferenceClient, type ClientSettings } from './reference-client.ts';
import { takeExam, type TestClient } from './take-exam.ts';

const wrong = (findings: readonly { rule: string; verdict: string }[]) =>
	findings.filter(({ rule, verdict }) => verdict === 'failed' || (verdict === 'advice' && rule !== 'token.own_user'));

describe('the page after an error', () => {
	it.each([
		['escaped error text', 'passed'],
		['escaped error text in an attribute', 'passed'],
		['escaped error text in a script', 'passed'],
		['error text in a script', 'passed'],
		['escaped error text in a text field', 'passed'],
		['escaped error text in the title', 'passed'],
		['error text as plain text', 'passed'],
		['error text as JSON', 'passed'],
		['start of the error text', 'not_shown']
	] as const satisfies readonly (readonly [Habit, string])[])('%s: %s', async (habit, verdict) => {
		const create = (settings: ClientSettings) => new ReferenceClient({ ...settings, habits: [habit] });
		const { findings } = await takeExam(create, { only: ['callback.error_escaped'] });
		expect(findings.map((finding) => finding.verdict)).toEqual([verdict]);
	});
});

/** Examines sign-ins only. */
const signIn = (dialect: DialectName, wrap: (client: TestClient) => TestClient) =>
	takeExam((settings) => wrap(new ReferenceClient({ ...settings, dialect })), {
		dialect,
		only: ['request.protected', 'callback.foreign_code']
	});

describe('a client that no browser can sign in with', () => {
	it.each([
		[
			'a strict cookie',
			'specification',
			(client: TestClient) => withCookies('Strict', client),
			'sid (SameSite=Strict)'
		],
		['a lax cookie and form_post', 'standard', (client: TestClient) => withForms(client, 'Lax'), 'sid (SameSite=Lax)']
	] as const)('has %s', async (_, dialect, wrap, cookie) => {
		const { ended, problem } = await signIn(dialect, wrap);
		expect(ended).toBe('client_failed');
		expect(problem).toContain(`The browser did not send the cookie ${cookie} when the service`);
	});

	it('has neither with None and Secure, or without SameSite', async () => {
		for (const sameSite of ['None; Secure', '']) {
			const { ended, findings } = await signIn('standard', (client) => withForms(client, sameSite));
			expect([ended, wrong(findings)]).toEqual([undefined, []]);
		}
	});
});

describe('a client whose pages have buttons', () => {
	it('is signed in and out by them', async () => {
		const { ended, findings } = await takeExam((settings) => withButtons(new ReferenceClient(settings)));
		expect([ended, wrong(findings)]).toEqual([undefined, []]);
		expect(findings.find(({ rule }) => rule === 'signout.revoke')?.verdict).toBe('passed');
		expect(findings.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThanOrEqual(46);
	});

	it('is found out if the button does not revoke', async () => {
		const create = (settings: ClientSettings) =>
			withButtons(new ReferenceClient({ ...settings, mistakes: ['does not revoke'] }));
		const { findings } = await takeExam(create, { only: ['signout.*'] });
		expect(findings.find(({ rule }) => rule === 'signout.revoke')?.verdict).toBe('failed');
	});

	it('is not judged if nothing says which button it is', async () => {
		const { findings } = await takeExam((settings) => withButtons(new ReferenceClient(settings), 2), {
			only: ['signout.*']
		});
		expect(findings.find(({ rule }) => rule === 'signout.revoke')?.text).toBe(
			'Not shown. The step “Sign-out” was skipped: the sign-out page has 2 forms, the first one POST /leave.'
		);
	});

	it('says why a sign-in cannot begin', async () => {
		const { ended, problem } = await signIn('specification', (client) => ({
			handle: (request) =>
				request.target === '/login'
					? {
							status: 200,
							body: '<form method="post" action="/login"><input name="email"><button>Go on</button></form>'
						}
					: client.handle(request)
		}));
		expect([ended, problem]).toEqual([
			'client_failed',
			'The sign-in page has a form with fields to fill in, POST /login.'
		]);
	});
});
