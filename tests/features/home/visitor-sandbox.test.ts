import { beforeEach, expect, test, vi } from 'vitest';
import { VisitorSandbox } from '#features/home/visitor-sandbox.svelte.ts';
import { MySandboxes } from '#features/shell/my-sandboxes.svelte.ts';
import { SandboxStatusMonitor } from '#features/shell/sandbox-status.svelte.ts';
import { WebStorage } from '../../client/web-storage.ts';

const root = 'https://tollgate.test';
const created = { id: 'x', base_url: `${root}/~x`, key: 'k', applications: [] };
const ownSandboxes = { sandbox_per_visitor: true, can_control: false };

/** Node has no `MouseEvent`. */
class Click extends Event {
	constructor(type: string, init: MouseEventInit) {
		super(type, { cancelable: true });
		Object.assign(this, init);
	}
}

beforeEach(() => {
	new WebStorage();
	vi.stubGlobal('document', new EventTarget());
	vi.stubGlobal('MouseEvent', Click);
});

/** Clicks a link of the front page at a service with this status. Returns whether the page handled it, and what it opened. */
async function click(status: object, init: MouseEventInit = { button: 0 }, isRead = true) {
	vi.stubGlobal('fetch', (_: string, { method }: RequestInit) =>
		Promise.resolve(Response.json(method === 'POST' ? created : { base_url: root, faults: 0, ...status }))
	);
	const monitor = new SandboxStatusMonitor();
	monitor.watch(root)();
	if (isRead) await monitor.refresh();
	const opened: string[] = [];
	const page = { monitor, mySandboxes: new MySandboxes(root), go: (href: string) => void opened.push(href) };
	const visitor = new VisitorSandbox(page);
	const event = new MouseEvent('click', init);
	visitor.follow(event, '/viewer');
	visitor.follow(event, '/viewer');
	await vi.waitFor(() => expect(visitor.form.isBusy).toBe(false));
	return [event.defaultPrevented, ...opened];
}

test('a visitor gets one sandbox, also for two clicks', async () => {
	expect(await click(ownSandboxes)).toEqual([true, `${root}/~x/viewer`]);
});

test.each(['metaKey', 'ctrlKey', 'shiftKey', 'altKey'])('a click with %s is left to the browser', async (key) => {
	expect(await click(ownSandboxes, { button: 0, [key]: true })).toEqual([false]);
});

test('a click of another button is left to the browser', async () => {
	expect(await click(ownSandboxes, { button: 1 })).toEqual([false]);
});

test.each([
	['of a service with one sandbox for all', { ...ownSandboxes, sandbox_per_visitor: false }],
	['of a visitor who controls the sandbox', { ...ownSandboxes, can_control: true }]
])('the link %s leads there, also before the status was read', async (_, status) => {
	expect(await click(status)).toEqual([false]);
	expect(await click(status, { button: 0 }, false)).toEqual([true, `${root}/viewer`]);
});

test('before the status was read, a visitor gets a sandbox too', async () => {
	expect(await click(ownSandboxes, { button: 0 }, false)).toEqual([true, `${root}/~x/viewer`]);
});
