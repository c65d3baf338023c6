import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RedirectUriTest } from '#features/console/redirect-uri-test.svelte.ts';
import { startControlService, type ControlService } from '../../client/control-api/control-service.ts';

const path = '/control/applications/character-viewer/redirect-uri-test';
let service: ControlService;
let tester: RedirectUriTest;
let registered: string;

beforeEach(async () => {
	service = startControlService();
	const { redirect_uris } = await service.api.request('GET /control/applications/{client_id}', {
		path: { client_id: 'character-viewer' }
	});
	registered = redirect_uris[0] ?? '';
	service.requests.length = 0;
	vi.useFakeTimers();
	tester = new RedirectUriTest(service.api, 'character-viewer');
});
afterEach(() => void vi.useRealTimers());

/** Types a URI, and waits for its result. */
async function enter(uri: string): Promise<void> {
	tester.change(uri);
	await vi.advanceTimersByTimeAsync(200);
}

test('a URI is tested once, after a pause', async () => {
	for (const uri of ['h', 'ht', 'https://evil.example/']) {
		tester.change(uri);
		await vi.advanceTimersByTimeAsync(100);
	}
	expect(service.requests).toEqual([]);
	await vi.advanceTimersByTimeAsync(200);
	expect(service.requests).toEqual([`POST ${path}`]);
	expect([tester.tested, tester.result?.matches]).toEqual(['https://evil.example/', false]);
	await enter(registered);
	expect([tester.tested, tester.result?.matches]).toEqual([registered, true]);
});

test('a test that failed has no result, not that of the URI before', async () => {
	await enter(registered);
	service.lost = path;
	await enter('https://evil.example/');
	expect([tester.result, tester.error?.code]).toEqual([undefined, 'no_response']);
	service.lost = undefined;
	await enter('https://evil.example/');
	expect([tester.tested, tester.result?.matches, tester.error]).toEqual(['https://evil.example/', false, undefined]);
});

test('an earlier test that ends later does not replace the result', async () => {
	const held: (() => void)[] = [];
	service.deliver = () => new Promise((resolve) => held.push(resolve));
	await enter(registered);
	await enter('https://evil.example/');
	held[1]?.();
	await vi.advanceTimersByTimeAsync(0);
	held[0]?.();
	await vi.advanceTimersByTimeAsync(0);
	expect([tester.tested, tester.result?.matches]).toEqual(['https://evil.example/', false]);
});

test('an empty field has no result, no error and no request', async () => {
	service.lost = path;
	await enter(registered);
	await enter('');
	expect([tester.result, tester.error, service.requests.length]).toEqual([undefined, undefined, 1]);
});

test('stopping ends the pause without a request', async () => {
	tester.change(registered);
	tester.stop();
	await vi.advanceTimersByTimeAsync(1000);
	expect(service.requests).toEqual([]);
});
