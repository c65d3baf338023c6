import { describe, expect, test } from 'vitest';
import { makeBinding } from '#client/sign-in/request.ts';
import { sentences, started, wishes, Workbench } from './workbench.ts';

describe('CL-04: secrets', () => {
	test('no step holds a secret, a token, a code or a state', async () => {
		const { bench, client, binding, answer } = await started();
		const session = await client.arrive(answer({ code: 'code-that-is-long-enough-1' }));
		await client.signOut(session.id);
		const told = JSON.stringify(client.journal.steps);
		for (const secret of [
			binding.state,
			binding.verifier,
			'viewer-secret',
			session.access_token,
			session.refresh_token ?? '-'
		]) {
			expect(told).not.toContain(secret);
		}
		expect(told).not.toContain('code-that-is-long-enough-1');
		expect(bench.service.count('/revoke')).toBe(1);
		expect(sentences(client.journal.steps)).toEqual([
			'stored: Remembered the state and the service it belongs to',
			'opened: Leaving for the service',
			'checked: State is the one this tab made, and it is used up now',
			'noticed: Exchanging the code, once',
			'sent: POST /ws/oauth2/token/',
			'received: 200 from /ws/oauth2/token/',
			'stored: Stored the tokens in this browser',
			'sent: GET /ws/oauth2/revoke',
			'received: 200 from /ws/oauth2/revoke',
			'stored: Forgot the tokens, in every tab'
		]);
	});

	test('an answer that is too long to be shown whole shows nothing of a token at its end', async () => {
		const { bench, client, answer } = await started();
		const padding = 'x'.repeat(16_384 - '{"padding":"","access_token":"token-that'.length);
		bench.service.override = () => Response.json({ padding, access_token: 'token-that-nobody-may-read' });
		await client.arrive(answer({ code: 'code-1' }));
		const told = JSON.stringify(client.journal.steps);
		expect(told).toContain(padding);
		expect(told).not.toContain('token-t');
	});

	test('the steps of a tab go on after its way to the service and back', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		await client.recall();
		await client.depart(wishes, await makeBinding(), null);
		bench.leave('tab-1');
		const back = bench.tab('tab-1');
		back.journal.tell({ kind: 'made', what: 'Opened the page' });
		await back.recall();
		expect(sentences(back.journal.steps)).toEqual([
			'stored: Remembered the state and the service it belongs to',
			'opened: Leaving for the service',
			'made: Opened the page'
		]);
		expect(back.journal.steps.map(({ seq }) => seq)).toEqual([1, 2, 3]);
	});
});
