import { beforeEach, expect, it, vi } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { ProbeSkipped } from '#exam/driver.ts';
import { UserDriver } from '#features/exam/user-driver.svelte.ts';
import { taskWords } from '#features/exam/task-words.ts';
import { timelineEntry } from '../inspector/timeline-entry.ts';

const baseUrl = 'https://service.test/~exam';
const urls = {
	signIn: 'http://client.test/login',
	use: 'http://client.test/me?name={name}',
	signOut: ''
};

const opened: string[] = [];
let isOpen = false;
let signedIn: string[] = [];
const show = (url: string) => void opened.push(url);
const window = { open: show, post: show, isOpen: () => isOpen };
const asked: string[] = [];
let held: unknown[] = [];

const fetch = async (url: string, { method, body }: RequestInit): Promise<Response> => {
	asked.push(`${method ?? ''} ${new URL(url).pathname} ${typeof body === 'string' ? body : ''}`);
	if (method === 'POST') return Response.json({});
	return Promise.resolve(Response.json({ points: [], held }));
};

function newDriver(isFresh = false, pages = urls): UserDriver {
	return new UserDriver({
		api: new ControlApi(baseUrl, fetch),
		urls: pages,
		window,
		signInAtService: (username) => Promise.resolve(void signedIn.push(username)),
		wait: () => Promise.resolve(),
		isFresh
	});
}

/** Resolves once the driver has asked the user. */
const taskOf = (driver: UserDriver) => vi.waitUntil(() => driver.task);

const exchange = (): TrafficEntry => {
	const entry = timelineEntry(2, { endpoint: 'token' });
	return { ...entry, request: { ...entry.request, body: 'grant_type=authorization_code&code=x' } };
};

beforeEach(() => {
	opened.length = 0;
	asked.length = 0;
	held = [];
	signedIn = [];
	isOpen = false;
});

it('signs in the browser of the user at the service, and sees in the log that the client exchanged the code', async () => {
	const driver = newDriver();
	let isOver = false;
	const done = driver.signIn('a', { username: 'exam-1' }).then(() => (isOver = true));
	expect(await taskOf(driver)).toEqual({ verb: 'sign_in', url: urls.signIn, isPrivate: false });
	expect(signedIn).toEqual(['exam-1']);
	driver.arrived(timelineEntry(1, { endpoint: 'auth' }));
	await Promise.resolve();
	expect(isOver).toBe(false);
	driver.arrived(exchange());
	await done;
	expect(driver.task).toBeUndefined();
});

it('counts what arrived before the first task: the exam begins with the first request of the client', async () => {
	const driver = newDriver(true);
	driver.arrived(exchange());
	await driver.signIn('a', { username: 'exam-1' });
	const next = driver.signIn('a', { username: 'exam-2' });
	expect(await taskOf(driver)).toMatchObject({ verb: 'sign_in' });
	driver.done();
	await next;

	const resumed = newDriver();
	resumed.arrived(exchange());
	const first = resumed.signIn('a', { username: 'exam-1' });
	expect(await taskOf(resumed)).toMatchObject({ verb: 'sign_in' });
	resumed.done();
	await first;
});

it('asks for a private window as the second browser, and names the account for it', async () => {
	const driver = newDriver();
	const done = driver.signIn('b', { username: 'exam-2' });
	expect(await taskOf(driver)).toEqual({
		verb: 'sign_in',
		url: urls.signIn,
		isPrivate: true,
		username: 'exam-2'
	});
	expect(signedIn).toEqual([]);
	driver.done();
	await done;
});

it('uses the client without the user while its window is open, one use after the other', async () => {
	const driver = newDriver();
	isOpen = true;
	await Promise.all([driver.use('a', 'Mara Vell'), driver.use('a', 'Half/Life')]);
	expect(opened).toEqual(['http://client.test/me?name=Mara%20Vell', 'http://client.test/me?name=Half%2FLife']);

	isOpen = false;
	const done = driver.use('a', 'Mara Vell');
	expect(await taskOf(driver)).toMatchObject({ verb: 'use', name: 'Mara Vell' });
	driver.arrived(timelineEntry(1, { endpoint: 'character' }));
	await done;
});

it('reads another name each time where the URL does not say where it belongs: a client may keep what it has read', async () => {
	const driver = newDriver(false, { ...urls, use: 'http://client.test/me' });
	isOpen = true;
	await driver.use('a', 'Mara Vell');
	expect(opened).toEqual(['http://client.test/me?name=Mara+Vell']);
});

it('reads the state of a sign-in that is open from the held authorization request, drops it and holds no other', async () => {
	held = [
		{
			id: 'h1',
			point: 'authorization_request',
			target: '/~exam/ws/oauth2/auth/',
			parameters: [
				{ name: 'client_id', value: 'exam-client', is_secret: false },
				{ name: 'state', value: 'a b', is_secret: false }
			]
		}
	];
	const url = await newDriver().begin('a', { username: 'exam-1' });
	expect(url).toBe(`${baseUrl}/ws/oauth2/auth/?client_id=exam-client&state=a+b`);
	expect(asked).toEqual([
		'PUT /~exam/control/pause {"points":["authorization_request"]}',
		'POST /~exam/control/pause/h1 {"action":"drop"}',
		'PUT /~exam/control/pause {"points":[]}'
	]);
});

it('leaves out a probe that the user skips, and one that waits when the exam stops', async () => {
	const driver = newDriver();
	const skipped = driver.signOut('a');
	await taskOf(driver);
	driver.skip();
	await expect(skipped).rejects.toThrow(ProbeSkipped);
	const stopped = driver.open('a', 'http://client.test/callback?code=x');
	expect(await taskOf(driver)).toMatchObject({ verb: 'open', url: 'http://client.test/callback?code=x' });
	await driver.stop();
	await expect(stopped).rejects.toThrow(ProbeSkipped);
});

it('delivers the response of an attacker as a form to a client that gets its responses so', async () => {
	const driver = newDriver();
	const url = 'http://client.test/callback?code=x&state=y';
	const delivered = driver.open('a', url, { posts: true });
	const task = await taskOf(driver);
	expect(task).toMatchObject({ verb: 'open', url, posts: true });
	expect(taskWords(task).button).toBe('Send the form');
	driver.done();
	await delivered;
});

it('offers the only page of a client, where no page reads a resource', async () => {
	const page = 'https://service.test/~exam/viewer';
	const driver = newDriver(false, { signIn: page, use: '', signOut: page });
	const done = driver.use('a', 'Mara Vell');
	const task = await taskOf(driver);
	expect(task).toMatchObject({ url: page, isOnlyPage: true, name: 'Mara Vell' });
	expect(taskWords(task)).toMatchObject({ todo: 'Make your client read Mara Vell.', button: 'Open viewer' });
	driver.done();
	await done;
});
