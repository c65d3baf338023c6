import { describe, expect, test } from 'vitest';
import { Explorer, freshFor } from '#client/page/explorer.svelte.ts';
import type { Seen } from '../fake-service.ts';
import { gate, Workbench } from '../workbench.ts';

async function panel() {
	const bench = new Workbench();
	const client = bench.tab('tab-1');
	const session = await bench.signIn(client);
	const other = await bench.signIn(client);
	const explorer = new Explorer(client);
	const calls = () => bench.service.requests.filter(({ url }) => url.pathname.includes('/character/')).length;
	const shown = () => (explorer.view.kind === 'shown' ? explorer.view.sheet.character.name : explorer.view.kind);
	return { bench, client, session, other, explorer, calls, shown };
}

/** Answers characters in the order in which they are let go. */
function byHand(bench: Workbench) {
	const gates = new Map<string, () => void>();
	bench.service.override = (seen: Seen) => {
		const name = decodeURIComponent(seen.url.pathname.split('/').at(-1) ?? '');
		const { closed, open } = gate();
		gates.set(name, open);
		return closed;
	};
	return async (name: string) => {
		await expect.poll(() => gates.has(name)).toBe(true);
		gates.get(name)?.();
	};
}

describe('asking', () => {
	test('the last name that was asked for is shown, whichever answer comes first', async () => {
		const { bench, session, explorer, shown } = await panel();
		const letGo = byHand(bench);
		const first = explorer.show(session, 'Mara Vell');
		const second = explorer.show(session, 'Half/Life');
		expect(explorer.asking).toBe('Half/Life');
		await letGo('Half/Life');
		await second;
		expect(explorer.asking).toBeUndefined();
		await letGo('Mara Vell');
		await first;
		expect(shown()).toBe('Half/Life');
	});

	test('a refusal is told, and the panel is ready again', async () => {
		const { bench, session, explorer } = await panel();
		bench.service.override = () => Response.json({ error: 'not_found' }, { status: 404 });
		await explorer.show(session, 'Nobody');
		expect(explorer.view).toMatchObject({ kind: 'failed', name: 'Nobody', problem: { code: 'not_found' } });
		expect(explorer.asking).toBeUndefined();
	});

	test('an answer that is no character is told as such', async () => {
		const { bench, session, explorer } = await panel();
		bench.service.override = () => Response.json({ hello: 'there' });
		await explorer.show(session, 'Mara Vell');
		expect(explorer.view).toMatchObject({ kind: 'failed', problem: { code: 'unreadable' } });
	});

	test('the switches decide how: encoding and credential', async () => {
		const { bench, client, session, explorer } = await panel();
		await client.switches.change({ format: 'xml', credential: 'query' });
		await explorer.show(session, 'Mara Vell');
		const call = bench.service.requests.at(-1);
		expect(call?.headers.get('accept')).toBe('application/xml');
		expect(call?.headers.has('authorization')).toBe(false);
		expect(call?.url.searchParams.get('access_token')).toBe(session.access_token);
	});
});

describe('the cache', () => {
	test('a second look costs no call for a minute, unless asked anew or switched off', async () => {
		const { bench, client, session, explorer, calls } = await panel();
		await explorer.show(session, 'Mara Vell');
		await explorer.show(session, 'Mara Vell');
		expect(calls()).toBe(1);
		expect(explorer.view).toMatchObject({ kind: 'shown', cached: true });
		await explorer.show(session, 'Mara Vell', true);
		expect(calls()).toBe(2);
		bench.time += freshFor;
		await explorer.show(session, 'Mara Vell');
		expect(calls()).toBe(3);
		await client.switches.change({ cache: false });
		await explorer.show(session, 'Mara Vell');
		expect(calls()).toBe(4);
	});

	test('is apart for each person, each encoding and each set of permissions', async () => {
		const { client, session, other, explorer, calls } = await panel();
		await explorer.show(session, 'Mara Vell');
		await explorer.show(other, 'Mara Vell');
		expect(calls()).toBe(2);
		await explorer.show({ ...session, scope: ['character_read', 'credits_read'] }, 'Mara Vell');
		expect(calls()).toBe(3);
		await client.switches.change({ format: 'xml' });
		await explorer.show(session, 'Mara Vell');
		expect(calls()).toBe(4);
	});

	test('an encoding that is switched while an answer is on its way does not mix them up', async () => {
		const { bench, client, session, explorer, calls } = await panel();
		const letGo = byHand(bench);
		const asking = explorer.show(session, 'Mara Vell');
		await expect.poll(calls).toBe(1);
		await client.switches.change({ format: 'xml' });
		await letGo('Mara Vell');
		await asking;
		bench.service.override = undefined;
		await explorer.show(session, 'Mara Vell');
		expect(calls()).toBe(2);
	});
});

describe('several people', () => {
	test('what one person sees is not shown to another', async () => {
		const { session, other, explorer } = await panel();
		await explorer.show(session, 'Mara Vell');
		expect(explorer.viewOf(session.id).kind).toBe('shown');
		expect(explorer.viewOf(other.id).kind).toBe('nothing');
	});

	test('a poll for somebody else does not change what is shown', async () => {
		const { session, other, explorer } = await panel();
		await explorer.show(session, 'Mara Vell');
		const before = explorer.view;
		explorer.adopt(other.id, await explorer.ask(other, 'Mara Vell'));
		expect(explorer.view).toBe(before);
		explorer.adopt(session.id, await explorer.ask(session, 'Half/Life'));
		expect(explorer.view).toBe(before);
		explorer.adopt(session.id, await explorer.ask(session, 'Mara Vell'));
		expect(explorer.view).not.toBe(before);
	});

	test('somebody who leaves takes what was shown and kept for them, and nothing of others', async () => {
		const { session, other, explorer, shown, calls } = await panel();
		await explorer.show(other, 'Half/Life');
		await explorer.show(session, 'Mara Vell');
		explorer.forget(other.id);
		expect(shown()).toBe('Mara Vell');
		explorer.forget(session.id);
		expect(shown()).toBe('nothing');
		await explorer.show(session, 'Mara Vell');
		expect(calls()).toBe(3);
	});

	test('an answer for somebody who has left meanwhile is not shown', async () => {
		const { bench, session, explorer, shown } = await panel();
		const letGo = byHand(bench);
		const asking = explorer.show(session, 'Mara Vell');
		explorer.forget(session.id);
		await letGo('Mara Vell');
		await asking;
		expect([shown(), explorer.asking]).toEqual(['nothing', undefined]);
	});
});

describe('while the service is silent', () => {
	test('what was asked for is asked again by itself once that is over, once', async () => {
		const { bench, client, session, explorer, calls, shown } = await panel();
		client.breaker.silent();
		client.breaker.silent();
		await explorer.show(session, 'Mara Vell');
		expect(explorer.view).toMatchObject({ kind: 'failed', problem: { code: 'holding' } });
		explorer.tick();
		expect(calls()).toBe(0);
		bench.service.standing = { state: 'counting', reason: '' };
		await client.breaker.probe();
		explorer.tick();
		explorer.tick();
		await expect.poll(shown).toBe('Mara Vell');
		expect(calls()).toBe(1);
	});

	test('the call that met the silence is not made again before it is over, nor again when it fails again', async () => {
		const { bench, client, session, explorer, calls } = await panel();
		bench.service.override = ({ url }) => {
			if (url.pathname.includes('/character/')) throw new TypeError('no answer');
			return undefined;
		};
		client.breaker.silent();
		await explorer.show(session, 'Mara Vell');
		expect(client.breaker.isOpen).toBe(true);
		explorer.tick();
		expect(calls()).toBe(1);
		bench.service.standing = { state: 'counting', reason: '' };
		await client.breaker.probe();
		explorer.tick();
		await expect.poll(calls).toBe(2);
		await expect.poll(() => explorer.asking).toBeUndefined();
		explorer.tick();
		expect(calls()).toBe(2);
	});
});

describe('over the limit', () => {
	async function waiting() {
		const made = await panel();
		made.bench.service.remaining = 0;
		await made.explorer.show(made.session, 'Mara Vell');
		expect(made.explorer.view).toMatchObject({ kind: 'waiting', name: 'Mara Vell' });
		return made;
	}

	test('the same is asked again by itself after the reset, once', async () => {
		const { bench, explorer, calls, shown } = await waiting();
		explorer.tick();
		expect(calls()).toBe(1);
		bench.time = bench.service.reset * 1000 + 1000;
		bench.service.remaining = 600;
		explorer.tick();
		explorer.tick();
		await expect.poll(shown).toBe('Mara Vell');
		expect(calls()).toBe(2);
	});

	test('what is being typed meanwhile stays in the field', async () => {
		const { bench, explorer, shown } = await waiting();
		explorer.name = 'Half/L';
		bench.time = bench.service.reset * 1000 + 1000;
		bench.service.remaining = 600;
		explorer.tick();
		await expect.poll(shown).toBe('Mara Vell');
		expect(explorer.name).toBe('Half/L');
	});

	test('whoever does not want to wait is not made to', async () => {
		const { bench, explorer, calls, shown } = await waiting();
		explorer.stop();
		expect(shown()).toBe('nothing');
		bench.time = bench.service.reset * 1000 + 1000;
		explorer.tick();
		expect(calls()).toBe(1);
	});
});
