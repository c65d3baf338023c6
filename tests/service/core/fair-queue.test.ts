import { expect, it } from 'vitest';
import { ProtocolError } from '#service/core/errors.ts';
import { FairQueue } from '#service/core/fair-queue.ts';
import { createTestService } from '../test-service.ts';

/** A task that ends when the test says so. */
function openTask() {
	let end = (): void => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	return { run: () => ended, end };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('runs the tasks of an address behind one task of another address that has many', async () => {
	const queue = new FairQueue(1, 20);
	const first = openTask();
	const order: string[] = [];
	const add = (address: string, name: string) => queue.run(address, async () => void order.push(name));
	const all = [queue.run('10.0.0.1', first.run), ...['a', 'b', 'c'].map((name) => add('10.0.0.1', name))];
	all.push(add('10.0.0.2', 'other'), add('10.0.0.3', 'third'));
	first.end();
	await Promise.all(all);
	expect(order).toEqual(['a', 'other', 'third', 'b', 'c']);
});

it('rejects the task of an address that has 20 waiting, and no task of another address', async () => {
	const queue = new FairQueue(1, 20);
	const first = openTask();
	const done = () => Promise.resolve();
	const all = [queue.run('10.0.0.1', first.run)];
	for (let count = 0; count < 20; count++) all.push(queue.run('10.0.0.1', done));
	await expect(queue.run('10.0.0.1', done)).rejects.toThrow(ProtocolError);
	all.push(queue.run('10.0.0.2', done));
	first.end();
	await Promise.all(all);
	await queue.run('10.0.0.1', done);
});

it('goes on after a task that failed', async () => {
	const queue = new FairQueue(1, 20);
	await expect(queue.run('10.0.0.1', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
	expect(await queue.run('10.0.0.1', () => Promise.resolve(1))).toBe(1);
});

it('runs one task of an address at a time, and beside it one of another address', async () => {
	const queue = new FairQueue(2, 20);
	const [first, second] = [openTask(), openTask()];
	const order: string[] = [];
	const add = (address: string, name: string, task = () => Promise.resolve()) =>
		queue.run(address, () => (order.push(name), task()));
	const all = [add('10.0.0.1', 'a', first.run), add('10.0.0.1', 'b', second.run), add('10.0.0.2', 'other')];
	await turn();
	expect(order).toEqual(['a', 'other']);
	first.end();
	second.end();
	await Promise.all(all);
	expect(order).toEqual(['a', 'other', 'b']);
});

it('RM-05 a sign-in does not wait for the password hashes of an address that floods the server', async () => {
	const hashes: (() => void)[] = [];
	const tested = createTestService();
	const scrypt = async (password: string, salt: Uint8Array) => {
		if (password === 'flood') await new Promise<void>((resolve) => hashes.push(resolve));
		return tested.options.scrypt(password, salt);
	};
	const busy = createTestService({ scrypt, quotas: { waitingPasswords: 20 } });
	const flooded = await busy.sandbox();
	const attacker = flooded.from('10.6.6.6');
	const flood = Array.from({ length: 30 }, (_, count) =>
		attacker.control('POST', 'accounts', { username: `guest-${count}`, password: 'flood' })
	);
	await turn();
	const honest = flooded.from('10.0.0.7').user().signIn();
	expect((await honest).status).toBe(303);
	expect(hashes, 'one of the flood runs').toHaveLength(1);
	for (let round = 0; round < 50; round++) {
		hashes.splice(0).forEach((end) => end());
		await turn();
	}
	const responses = await Promise.all(flood);
	const statuses = responses.map(({ status }) => status);
	expect(responses.at(-1)?.text).toContain('Too many sign-ins at once: 20 of your address are waiting.');
	expect(statuses.filter((status) => status === 201)).toHaveLength(21);
	expect(statuses.filter((status) => status === 429)).toHaveLength(9);
});

it('RL-10 a class behind one address signs in at the same instant, to one account and in its own sandboxes', async () => {
	const tested = createTestService({ adminKey: 'the admin key' });
	const shared = await tested.sandbox();
	const own = await Promise.all(Array.from({ length: 30 }, () => tested.sandbox()));
	const students = [...own, ...Array.from({ length: 30 }, () => shared)].map((at) => at.user());
	const pages = await Promise.all(students.map((student) => student.authorize()));
	const signIns = students.flatMap((student, at) => pages.slice(at, at + 1).map((page) => student.signInOn(page)));
	const consents = await Promise.all(signIns);
	expect(consents.map(({ status }) => status)).toEqual(students.map(() => 200));
	const guesses = await Promise.all(Array.from({ length: 15 }, () => shared.user('player-two').signIn('guess')));
	expect(
		guesses.filter(({ status }) => status === 403),
		'guesses at the same instant are counted'
	).toHaveLength(10);
	expect(guesses.filter(({ status }) => status === 429)).toHaveLength(5);
});

it('hashes no password of a fresh sandbox again, and each wrong one', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const hashes = async (username: string, password: string, status: number): Promise<number> => {
		const before = tested.calls.scrypt;
		expect((await at.user(username).signIn(password)).status).toBe(status);
		return tested.calls.scrypt - before;
	};
	expect(await hashes('player-one', 'demo', 303)).toBe(0);
	expect(await hashes('player-one', 'wrong', 403)).toBe(1);
	await at.controlled('DELETE', 'accounts/player-two');
	await at.controlled('POST', 'accounts', { username: 'player-two', password: 'another one' });
	expect(await hashes('player-two', 'demo', 403)).toBeGreaterThanOrEqual(1);
	expect(await hashes('player-two', 'another one', 303)).toBe(1);
	await at.controlled('DELETE', 'accounts/player-three');
	expect(await hashes('player-three', 'demo', 403), 'an account that was deleted').toBe(1);
});

it('RM-05 hashes no password for a name that is taken', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const before = tested.calls.scrypt;
	const response = await at.control('POST', 'accounts', { username: 'player-one', password: 'x' });
	expect([response.status, response.error]).toEqual([409, 'conflict']);
	expect(tested.calls.scrypt).toBe(before);
});

it('RM-05 takes one snapshot at a time outside the root sandbox, and rests as long as each took', async () => {
	let running = 0;
	let most = 0;
	const rests: number[] = [];
	let now = 0;
	const tested = createTestService({
		timer: () => (now += 5),
		async sleep(milliseconds) {
			rests.push(milliseconds);
			most = Math.max(most, ++running);
			await turn();
			running--;
		}
	});
	const [one, other] = [await tested.sandbox(), await tested.sandbox()];
	const responses = await Promise.all([one, other, one, other].map((at) => at.control('GET', 'snapshot')));
	expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
	expect([most, rests.length, Math.min(...rests) > 0]).toEqual([1, 4, true]);
});
