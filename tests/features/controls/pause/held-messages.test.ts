import { afterEach, expect, it, vi } from 'vitest';
import { pausePoints, type HeldMessage } from '#api/control/pause.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { flowAt } from '#features/controls/pause/flow-so-far.ts';
import { HeldMessages, ParameterChanges } from '#features/controls/pause/held-messages.svelte.ts';
import { wordsOf } from '#features/controls/pause/point-words.ts';

afterEach(() => vi.useRealTimers());

const message: HeldMessage = {
	id: 'one',
	point: 'code_exchange',
	method: 'POST',
	target: '/ws/oauth2/token/',
	parameters: [
		{ name: 'code', value: 'abc', is_secret: false },
		{ name: 'client_secret', value: 'viewer…', is_secret: true }
	],
	until: 0,
	is_navigation: false
};

/** A control API that records its requests, and responds to a decision with `continuation`. */
function recorded(continuation: object = {}) {
	const sent: string[] = [];
	const went: string[] = [];
	const api = new ControlApi('https://tollgate.test', (url, { method = '', body }) => {
		const path = new URL(url).pathname;
		sent.push(`${method} ${path} ${typeof body === 'string' ? body : ''}`.trim());
		return Promise.resolve(
			Response.json(path.endsWith('/one') ? continuation : { points: [], held: [message], passed: 0 })
		);
	});
	const messages = new HeldMessages(api, {
		go: (url, { isForm, inNewTab }) => went.push(`${url}${isForm ? ' form' : ''}${inNewTab ? ' new tab' : ''}`)
	});
	return { messages, sent, went };
}

it('decides about a message whose client waits, and reads the messages again', async () => {
	const { messages, sent, went } = recorded();
	await messages.decide(message, { action: 'release', changes: { code: 'other' } });
	expect(sent).toEqual([
		'POST /control/pause/one {"action":"release","changes":{"code":"other"}}',
		'PUT /control/pause {}'
	]);
	expect(went).toEqual([]);
	expect(messages.held).toEqual([message]);
});

it('continues in the browser, and a duplicate in a new tab too', async () => {
	const released = recorded({ location: '/callback?code=1' });
	await released.messages.decide(message, { action: 'release' });
	expect(released.went).toEqual(['/callback?code=1']);
	const duplicated = recorded({ location: '/ws/oauth2/auth/?released=one', is_form: true });
	await duplicated.messages.decide(message, { action: 'duplicate' });
	expect(duplicated.went).toEqual(['/ws/oauth2/auth/?released=one form new tab', '/ws/oauth2/auth/?released=one form']);
});

it('continues in the browser automatically before the service drops the message', async () => {
	vi.useFakeTimers({ now: 0 });
	const { messages, sent, went } = recorded({ location: '/callback?code=1' });
	const own = { ...message, until: 240_000, is_navigation: true };
	messages.releaseInTime(own)();
	messages.releaseInTime(own);
	await vi.advanceTimersByTimeAsync(237_999);
	expect(sent).toEqual([]);
	await vi.advanceTimersByTimeAsync(1);
	expect([sent, went]).toEqual([['POST /control/pause/one {"action":"release"}'], ['/callback?code=1']]);
});

it('moves the clock before it releases a message late', async () => {
	const { messages, sent } = recorded();
	await messages.delay(message, 660);
	expect(sent.slice(0, 2)).toEqual([
		'POST /control/clock {"advance":660}',
		'POST /control/pause/one {"action":"release"}'
	]);
});

it('knows which parameters were changed', () => {
	const edits = new ParameterChanges(message);
	expect([edits.valueOf('code'), edits.valueOf('client_secret'), edits.changes]).toEqual(['abc', '', {}]);
	edits.set('code', 'abcd');
	edits.set('client_secret', 'wrong');
	expect(edits.changes).toEqual({ code: 'abcd', client_secret: 'wrong' });
	edits.set('code', '');
	edits.undo('client_secret');
	expect(edits.changes, 'an emptied field removes its parameter').toEqual({ code: null });
	edits.set('code', 'abc');
	expect(edits.isChanged('code')).toBe(false);
});

it('a parameter named like a property of every object is as sent until it is changed', () => {
	const edits = new ParameterChanges({
		...message,
		parameters: [{ name: 'constructor', value: 'abc', is_secret: false }]
	});
	expect([edits.valueOf('constructor'), edits.isChanged('constructor')]).toEqual(['abc', false]);
	expect(wordsOf('code_exchange', 'constructor')).toBeUndefined();
	edits.set('constructor', 'other');
	expect([edits.valueOf('constructor'), edits.isChanged('constructor')]).toEqual(['other', true]);
});

it('shows each point of a flow once as held', () => {
	for (const point of pausePoints) {
		const { messages, at } = flowAt({ point });
		expect(messages.filter(({ isHeld }) => isHeld).length, point).toBe(1);
		expect(
			messages.findIndex(({ isGhost }) => isGhost),
			point
		).toBe(at + 1);
	}
});
