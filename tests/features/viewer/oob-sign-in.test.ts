import { describe, expect, test } from 'vitest';
import { pocketCompanion } from '#client/demo-clients.ts';
import { outOfBandUri } from '#client/oauth/client-registration.ts';
import { type OobPopup, OobSignIn, type PopupState } from '#features/viewer/oob-sign-in.svelte.ts';
import { hardCode } from '#service/core/hard-code.ts';
import { parseOobTitle, parsePastedCode } from '#features/viewer/oob-title.ts';
import { Viewer } from '#features/viewer/viewer.svelte.ts';
import { TestBrowser } from '../../client/test-browser.ts';

describe('the out-of-band sign-in', () => {
	async function openCompanion() {
		const browser = new TestBrowser();
		const client = await browser.open('tab-1', {}, pocketCompanion(outOfBandUri));
		const viewer = new Viewer(client, 'offline');
		await viewer.signIn.prepare();
		const popup: { state: PopupState; urls: string[]; closed: number } = {
			state: { kind: 'waiting' },
			urls: [],
			closed: 0
		};
		let read: (() => void) | undefined;
		let isBlocked = false;
		const opened: OobPopup = {
			navigate: (url) => popup.urls.push(url),
			read: () => popup.state,
			focus: () => undefined,
			close: () => (popup.closed += 1)
		};
		const oob = new OobSignIn(viewer, {
			openPopup: () => (isBlocked ? undefined : opened),
			poll: (work) => {
				read = work;
				return () => (read = undefined);
			}
		});
		const requests = () => browser.service.count('/token/');
		const show = (state: PopupState) => {
			popup.state = state;
			read?.();
		};
		const block = () => (isBlocked = true);
		const approve = () => browser.service.approveOutOfBand(new URL(oob.url));
		const stateOf = () => new URL(oob.url).searchParams.get('state');
		return {
			browser,
			service: browser.service,
			client,
			oob,
			popup,
			requests,
			viewer,
			show,
			block,
			approve,
			stateOf,
			isPolling: () => read !== undefined
		};
	}

	test('reads code and state from the popup and closes it', async () => {
		const { client, viewer, oob, popup, show, approve, stateOf, isPolling } = await openCompanion();
		await oob.openPopup();
		expect([oob.stage, popup.urls]).toEqual(['watching', [oob.url]]);
		show({ kind: 'waiting' });
		expect(isPolling()).toBe(true);
		show({ kind: 'result', result: { name: 'code', value: await approve() }, state: stateOf() });
		expect([popup.closed, isPolling()]).toEqual([1, false]);
		await expect.poll(() => oob.stage).toBe('idle');
		expect(viewer.users.list).toMatchObject([{ id: viewer.users.activeId, client_id: 'pocket-companion' }]);
		expect(client.log.events.map(({ message }) => message)).toContain('state verified');
	});

	test.each([
		['of another sign-in', 'A'.repeat(43), 'state_unknown'],
		['that is missing', null, 'state_missing']
	])('rejects a state %s', async (_, state, code) => {
		const { requests, oob, show, approve } = await openCompanion();
		await oob.openPopup();
		show({ kind: 'result', result: { name: 'code', value: await approve() }, state });
		await expect.poll(() => oob.error?.code).toBe(code);
		expect(requests()).toBe(0);
	});

	test('shows a denial, and starts the next sign-in with a new state', async () => {
		const { oob, show, stateOf } = await openCompanion();
		await oob.openPopup();
		const first = stateOf();
		show({ kind: 'result', result: { name: 'error', value: 'access_denied' }, state: first });
		await expect.poll(() => oob.error?.code).toBe('access_denied');
		await oob.openPopup();
		expect(oob.error).toBeUndefined();
		expect(stateOf()).not.toBe(first);
	});

	test('leaves the popup open if the service rejects the request', async () => {
		const { oob, popup, show } = await openCompanion();
		await oob.openPopup();
		show({ kind: 'result', result: { name: 'fault', value: 'invalid_client' }, state: null });
		await expect.poll(() => oob.error?.code).toBe('invalid_client');
		expect(popup.closed).toBe(0);
	});

	test('still accepts a pasted code after the popup was closed', async () => {
		const { client, viewer, oob, show, approve } = await openCompanion();
		await oob.openPopup();
		show({ kind: 'closed' });
		expect([oob.stage, oob.isUnderWay]).toEqual(['closed', true]);
		await oob.submitCode('short');
		expect(oob.inputError).not.toBe('');
		await oob.submitCode(`  Success,code=${await approve()}\n`);
		expect([oob.inputError, viewer.users.list.length]).toEqual(['', 1]);
		expect(client.log.events.map(({ message }) => message)).not.toContain('state verified');
	});

	test('offers manual entry if the popup is blocked', async () => {
		const { oob, block } = await openCompanion();
		block();
		await oob.openPopup();
		expect(oob.stage).toBe('blocked');
	});

	test('reports a pasted code that the service rejects', async () => {
		const { oob } = await openCompanion();
		await oob.startManual();
		expect(oob.stage).toBe('manual');
		await oob.submitCode('A'.repeat(43));
		expect([oob.error?.code, oob.stage]).toEqual(['invalid_grant', 'idle']);
	});

	test('opens one popup if pressed twice, and closes it when canceled', async () => {
		const { oob, popup, isPolling } = await openCompanion();
		await Promise.all([oob.openPopup(), oob.openPopup()]);
		expect(popup.urls).toHaveLength(1);
		await oob.cancel();
		expect([popup.closed, oob.stage, oob.url, isPolling()]).toEqual([1, 'idle', '', false]);
	});
});

test.each([
	['Success,code=abc', { name: 'code', value: 'abc' }],
	['Denied,error=access_denied', { name: 'error', value: 'access_denied' }],
	['Error, invalid_client', { name: 'fault', value: 'invalid_client' }],
	['Success,code=', undefined],
	['Sign in', undefined],
	['x Success,code=abc', undefined]
])('the title %s is parsed', (title, result) => {
	expect(parseOobTitle(title)).toEqual(result);
});

test.each([
	['abcdefgh-_.~+/==', 'abcdefgh-_.~+/=='],
	[' abcdefgh\n', 'abcdefgh'],
	['Success,code=abcdefgh', 'abcdefgh'],
	[hardCode('a'.repeat(43)), hardCode('a'.repeat(43))],
	['abc', undefined],
	['two words here', undefined],
	['a'.repeat(600), undefined]
])('the pasted text %s is parsed', (text, value) => {
	expect(parsePastedCode(text)?.value).toBe(value);
});
