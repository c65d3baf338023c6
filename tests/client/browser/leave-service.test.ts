import { afterEach, describe, expect, test, vi } from 'vitest';
import { leaveService } from '#client/browser/leave-service.ts';
import { endpointsOf } from '#client/endpoints.ts';
import { Journal } from '#client/events.ts';
import { codeOf, sentences } from '../workbench.ts';

const page = 'https://service.example/account';
const signedIn = { signed_in: true, username: 'player-one', form: { fields: { csrf_token: 'p-1' } } };

/** A browser that leaves: what its account page answers, and what was sent to it. */
function leaving(account: Response, left = Response.json({ signed_in: false })) {
	const sent: { address: string; method: string; form: Record<string, string>; credentials: unknown }[] = [];
	vi.stubGlobal('fetch', (address: string, { method = 'GET', body, credentials }: RequestInit) => {
		const form = body instanceof URLSearchParams ? Object.fromEntries(body) : {};
		sent.push({ address, method, form, credentials });
		return Promise.resolve(method === 'POST' ? left : account);
	});
	const journal = new Journal(() => 0);
	return { sent, journal, leave: () => leaveService(endpointsOf('https://service.example'), journal) };
}

afterEach(() => vi.unstubAllGlobals());

describe('the person leaves the service', () => {
	test('by the form of the account page, with the cookie of the browser', async () => {
		const { sent, journal, leave } = leaving(Response.json(signedIn));
		expect(await leave()).toBe('player-one');
		expect(sent).toEqual([
			{ address: page, method: 'GET', form: {}, credentials: 'same-origin' },
			{ address: page, method: 'POST', form: { csrf_token: 'p-1', action: 'sign-out' }, credentials: 'same-origin' }
		]);
		expect(sentences(journal.steps)).toEqual(['noticed: The person has signed out at the service']);
	});

	test('where nobody is signed in, nothing is asked for', async () => {
		const { sent, journal, leave } = leaving(Response.json({ ...signedIn, signed_in: false }));
		expect(await leave()).toBeUndefined();
		expect(sent).toHaveLength(1);
		expect(journal.steps).toEqual([]);
	});

	test.each([
		['an error', Response.json(signedIn, { status: 500 })],
		['a page', new Response('<!doctype html>')]
	])('%s instead of the account is a problem, and nothing is sent after', async (_, account) => {
		const { sent, leave } = leaving(account);
		expect(await codeOf(leave())).toBe('unreadable');
		expect(sent).toHaveLength(1);
	});

	test('whom the service does not let go is not said to have left', async () => {
		const { journal, leave } = leaving(Response.json(signedIn), new Response('', { status: 403 }));
		expect(await codeOf(leave())).toBe('unreadable');
		expect(journal.steps).toEqual([]);
	});
});
