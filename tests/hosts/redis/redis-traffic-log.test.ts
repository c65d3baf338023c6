import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { RedisChannels, RedisTrafficLog } from '#hosts/node/redis/redis-traffic-log.server.ts';
import { RedisKeys } from '#hosts/node/redis/redis-keys.ts';
import { RedisLink } from '#hosts/node/redis/redis-link.server.ts';
import type { LazyTrafficEntry } from '#service/traffic/logged-exchange.ts';
import type { TrafficLimits } from '#service/traffic/traffic-log.ts';
import { draftOf, testTrafficLog } from '../../service/traffic-log-contract.ts';
import { describeWithRedis, kept, startRedis, type RedisServer } from './redis-server.ts';

const report = (fault: unknown) => console.error(fault);

describeWithRedis('traffic log in Redis', () => {
	let redis: RedisServer;
	const processes: { readonly link: RedisLink; readonly channels: RedisChannels }[] = [];
	let count = 0;
	const limits = { entries: 10, characters: 10_000 };

	beforeAll(async () => {
		redis = await startRedis();
		for (let process = 0; process < 2; process++) {
			const link = await RedisLink.open(redis.url, report);
			processes.push({ link, channels: await RedisChannels.open(link) });
		}
	});
	afterAll(async () => {
		for (const { link, channels } of processes) {
			channels.close();
			link.close();
		}
		await redis.close();
	});

	/** The same empty log, as each process sees it. */
	function openLogs(of: () => TrafficLimits = () => limits): RedisTrafficLog[] {
		const keys = new RedisKeys(`test${++count}`);
		return processes.map(
			({ link, channels }) => new RedisTrafficLog({ link, channels, keys, sandbox: 'x', limits: of })
		);
	}

	/** An exchange in which values occur, as the service drafts it: `kind digest`. */
	function draft(log: RedisTrafficLog, id: string, flow: string | undefined, ...sent: string[]): LazyTrafficEntry {
		const values = sent.map((name) => {
			const [kind = '', digest = ''] = name.split('/');
			return { id: digest, preview: '', label: log.labels.find(digest, kind, flow).label };
		});
		const { entry, ...drafted } = draftOf(id);
		return {
			...drafted,
			entry: (seq) => {
				const made = entry(seq);
				return { ...made, ...(flow === undefined ? {} : { flow }), values };
			}
		};
	}

	testTrafficLog('Redis', () => {
		const [log] = openLogs();
		if (log === undefined) throw new Error('There is no log.');
		const appended: Promise<void>[] = [];
		const append = log.append.bind(log);
		log.append = (entry) => {
			const stored = append(entry);
			appended.push(stored);
			return stored;
		};
		return Promise.resolve({ log, stored: () => Promise.all(appended).then(() => undefined) });
	});

	it('numbers the entries and values of two processes as one, and knows the flow of each value', async () => {
		const [one, other] = openLogs();
		if (one === undefined || other === undefined) throw new Error('There is no log.');
		await one.append(draft(one, 'a', 'F1', 'code/A', 'client secret/S'));
		await other.append(draft(other, 'b', 'F2', 'code/B', 'client secret/S'));
		await one.append(draft(one, 'c', undefined, 'code/B', 'access token/T'));
		await other.append(draft(other, 'd', undefined, 'client secret/S', 'token/T'));
		const read = (await one.after(0, 10)).map((exchange) => {
			const { seq, flow, values } = exchange.entry();
			return [seq, flow, values.map(({ label }) => label).join()];
		});
		expect(read).toEqual([
			[1, 'F1', 'code 1,client secret 1'],
			[2, 'F2', 'code 2,client secret 1'],
			[3, 'F2', 'code 2,access token 1'],
			[4, undefined, 'client secret 1,access token 1']
		]);
		expect((await other.find('a'))?.seq).toBe(1);
	});

	it('tells a subscriber in one process of the entries that others append, each once, in order', async () => {
		const [one, other] = openLogs(() => ({ ...limits, entries: 500 }));
		const heard: number[] = [];
		onTestFinished(one?.subscribe(({ seq }) => heard.push(seq), 0) ?? (() => undefined));
		for (let at = 0; at < 150; at += 2) await Promise.all([one?.append(draftOf(`${at}`)), other?.append(draftOf('b'))]);
		await expect.poll(() => heard.length).toBe(150);
		expect(heard).toEqual(Array.from({ length: 150 }, (_, at) => at + 1));
	});

	it('drops the oldest entries beyond a number, and beyond an amount of text, and forgets old values', async () => {
		let { entries, characters } = { entries: 4, characters: 10_000 };
		const [log] = openLogs(() => ({ entries, characters }));
		if (log === undefined) throw new Error('There is no log.');
		const numbers = async () => (await log.after(0, 10)).map(({ seq }) => seq);
		for (let at = 0; at < 20; at++) await log.append(draft(log, `${at}`, 'F', `code/${at}`));
		expect(await numbers()).toEqual([17, 18, 19, 20]);
		entries = 2;
		expect(await numbers()).toEqual([19, 20]);
		expect(await log.find('16')).toBeUndefined();
		characters = 100;
		await log.append({ ...draftOf('long'), size: 200 });
		expect(await numbers(), 'one entry always stays').toEqual([21]);
		await log.append(draft(log, 'old', undefined, 'code/1', 'code/19'));
		expect((await log.find('old'))?.values.map(({ label }) => label)).toEqual(['code 21', 'code 20']);
	});

	it('continues a subscription after a lost connection, without a gap', async () => {
		const own = await startRedis(kept);
		const link = await RedisLink.open(own.url, () => undefined);
		const channels = await RedisChannels.open(link);
		const log = new RedisTrafficLog({ link, channels, keys: new RedisKeys('t'), sandbox: 'x', limits: () => limits });
		const heard: string[] = [];
		log.subscribe(({ id }) => heard.push(id));
		await log.append(draftOf('a'));
		await own.kill();
		await log.append(draftOf('lost'));
		await own.restart();
		await expect.poll(() => link.send('ping').catch(() => undefined)).toBe('PONG');
		await log.append(draftOf('b'));
		const other = await RedisLink.open(own.url, report);
		await new RedisTrafficLog({
			link: other,
			channels,
			keys: new RedisKeys('t'),
			sandbox: 'x',
			limits: () => limits
		}).append(draftOf('c'));
		await expect.poll(() => heard.join('')).toBe('abc');
		channels.close();
		link.close();
		other.close();
		await own.close();
	});
});
