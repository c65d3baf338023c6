import { expect, it } from 'vitest';
import { PageClock } from '#hosts/page/page-clock.ts';

it('moves ahead at once when all of a program sleeps, in the order of the sleeps', async () => {
	const clock = new PageClock(() => 1000);
	const woken: string[] = [];
	await Promise.all([
		clock.sleep(60_000).then(() => woken.push(`long ${clock.now()}`)),
		clock.sleep(10_000).then(() => woken.push(`short ${clock.now()}`))
	]);
	expect(woken).toEqual(['short 11000', 'long 61000']);
});

it('does not move ahead while a request runs, unless the service delays it', async () => {
	const clock = new PageClock(() => 0);
	let resolve = () => {};
	const promise = new Promise<void>((end) => (resolve = end));
	const request = clock.during(() => promise);
	const sleep = clock.sleep(5000).then(() => clock.now());
	await new Promise((done) => setTimeout(done, 30));
	expect(clock.now()).toBe(0);
	resolve();
	await request;
	expect(await sleep).toBe(5000);
	await clock.during(() => clock.delay(2000));
	expect(clock.now()).toBe(7000);
});
