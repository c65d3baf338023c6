import { afterEach, describe, expect, test, vi } from 'vitest';
import { SignIn } from '#client/page/sign-in.svelte.ts';
import type { Flow } from '#client/sign-in/flows.ts';
import { MemoryShelf } from '#client/shelf.ts';
import { Workbench } from '../workbench.ts';

async function panel() {
	const bench = new Workbench();
	let wake = () => {};
	const sleep = () => new Promise<void>((resolve) => (wake = resolve));
	const client = bench.tab('tab-1', { sleep });
	const signIn = new SignIn(client);
	await signIn.prepare();
	const addresses: string[] = [];
	const leave = () => signIn.leave((address) => addresses.push(address));
	const parameter = (name: string) => signIn.request?.parameters.find((one) => one.name === name)?.value;
	const flows = async (): Promise<readonly Flow[]> => (await bench.shelf.read('flows')) ?? [];
	return { bench, client, signIn, addresses, leave, parameter, flows, waited: () => wake() };
}

describe('the sign-in panel', () => {
	test('shows the request that goes out, as it is chosen', async () => {
		const { signIn, parameter, addresses, leave } = await panel();
		expect(parameter('scope')).toBe('character_read');
		signIn.toggle('credits_read', true);
		signIn.toggle('location_read', true);
		signIn.toggle('credits_read', false);
		signIn.access_type = 'offline';
		signIn.renew = true;
		expect(parameter('scope')).toBe('character_read location_read');
		expect(parameter('access_type')).toBe('offline');
		expect(parameter('renew_previously_granted')).toBe('yes');
		signIn.pkce = false;
		expect(parameter('code_challenge')).toBeUndefined();
		await leave();
		expect(addresses).toEqual([signIn.request?.address]);
	});

	test('a permission that is checked twice is asked for once', async () => {
		const { signIn } = await panel();
		signIn.toggle('character_read', true);
		expect(signIn.scope).toEqual(['character_read']);
	});

	test('pressed twice, one sign-in is started', async () => {
		const { addresses, leave, flows } = await panel();
		await Promise.all([leave(), leave()]);
		expect(addresses).toHaveLength(1);
		expect(await flows()).toHaveLength(1);
	});

	test('back from the service it is ready again, with a state of its own', async () => {
		const { signIn, parameter, leave, flows } = await panel();
		await leave();
		expect(signIn.leaving).toBe(true);
		const first = parameter('state');
		await signIn.prepare();
		expect(signIn.leaving).toBe(false);
		expect(parameter('state')).not.toBe(first);
		await leave();
		expect(new Set((await flows()).map(({ state }) => state)).size).toBe(2);
	});

	test('stopped on the way to the service, it can be left again, with a state of its own', async () => {
		const { signIn, addresses, leave, waited } = await panel();
		await leave();
		waited();
		await vi.waitFor(() => expect(signIn.leaving).toBe(false));
		await vi.waitFor(() => expect(signIn.request?.address).not.toBe(addresses[0]));
		await leave();
		expect(new Set(addresses).size).toBe(2);
	});

	test('where the browser refuses to keep the state nobody leaves, and it is said', async () => {
		const { bench } = await panel();
		const broken = new (class extends MemoryShelf {
			override update(): Promise<never> {
				return Promise.reject(new Error('the disk is full'));
			}
		})();
		const signIn = new SignIn(bench.tab('tab-2', { shelf: broken }));
		await signIn.prepare();
		const gone: string[] = [];
		await signIn.leave((address) => gone.push(address));
		expect(gone).toEqual([]);
		expect(signIn.problem?.message).toBe('the disk is full');
		expect(signIn.leaving).toBe(false);
	});
});

describe('getting ready', () => {
	afterEach(() => vi.unstubAllGlobals());

	test('a page that was not opened securely says so, and what to do', async () => {
		vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
		const { signIn } = await panel();
		expect(signIn.canPkce).toBe(false);
		expect(signIn.request).toBeUndefined();
		expect(signIn.problem?.code).toBe('insecure_page');
	});

	test('storage that breaks is told, and the next try has no problem any more', async () => {
		const bench = new Workbench();
		let works = false;
		const shaky = new (class extends MemoryShelf {
			override read(): Promise<undefined> {
				return works ? Promise.resolve(undefined) : Promise.reject(new Error('the disk is gone'));
			}
		})();
		const signIn = new SignIn(bench.tab('tab-1', { shelf: shaky }));
		await signIn.prepare();
		expect(signIn.problem?.message).toBe('the disk is gone');
		works = true;
		await signIn.prepare();
		expect(signIn.problem).toBeUndefined();
		expect(signIn.request).toBeDefined();
	});
});

describe('whom it is for', () => {
	test('somebody whose session is over comes back with what they had', async () => {
		const { bench, client, signIn, flows, leave } = await panel();
		const session = await bench.signIn(client);
		signIn.invite({ ...session, scope: ['character_read', 'credits_read'] });
		expect([signIn.open, signIn.access_type, signIn.scope]).toEqual([
			true,
			'offline',
			['character_read', 'credits_read']
		]);
		await leave();
		expect((await flows()).at(-1)?.session).toBe(session.id);
	});

	test('somebody else after that is somebody else', async () => {
		const { bench, client, signIn, flows, leave } = await panel();
		signIn.invite(await bench.signIn(client));
		signIn.add();
		expect(signIn.again).toBeUndefined();
		await leave();
		expect((await flows()).at(-1)?.session).toBeNull();
		signIn.close();
		expect(signIn.open).toBe(false);
	});

	test('one permission more is asked for beside those that were given', async () => {
		const { bench, client, signIn } = await panel();
		const session = await bench.signIn(client);
		signIn.askFor('credits_read', session);
		signIn.askFor('credits_read', session);
		expect(signIn.scope).toEqual(['character_read', 'credits_read']);
		expect(signIn.again).toBeUndefined();
		expect(signIn.more).toBe(session);
		signIn.add();
		expect(signIn.more).toBeUndefined();
	});

	test('somebody who goes is asked for nothing any more', async () => {
		const { bench, client, signIn } = await panel();
		const session = await bench.signIn(client);
		signIn.askFor('credits_read', session);
		signIn.forget('somebody else');
		expect(signIn.more).toBe(session);
		signIn.forget(session.id);
		expect(signIn.more).toBeUndefined();
	});
});
