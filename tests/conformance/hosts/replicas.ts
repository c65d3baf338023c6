import { openRedis } from '#hosts/node/redis/open-redis.server.ts';
import { createNodeService } from '#hosts/node-service.server.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import type { Service } from '#service/service.ts';
import type { ServiceOptions } from '#service/core/options.ts';
import type { Transport } from '../transport.ts';
import { directTransport } from './direct.ts';
import { fastScrypt } from './fast-scrypt.ts';

const origin = 'https://tollgate.test';

/** One of several services that share a store. */
export type Replica = {
	readonly service: Service;
	readonly transport: Transport;
	/** Why its store takes no requests. */
	readonly problem: () => Promise<string | undefined>;
	readonly close: () => void;
};

/**
 * Creates a service over Redis, called directly.
 * @param options in place of the default ones
 */
export async function openReplica(url: string, options: Partial<ServiceOptions> = {}): Promise<Replica> {
	const report = (fault: unknown) => (options.report ?? console.error)(fault, '');
	const { store, traffic, secret, problem, close } = await openRedis<Records>(url, 'test', recordLimits, report);
	const service = createNodeService({ origin, report, store, traffic, secret, scrypt: fastScrypt, ...options });
	return { service, transport: directTransport(service, origin), problem, close };
}

/** Sends each request to the next of several replicas. */
export function inTurns(replicas: readonly Pick<Transport, 'send' | 'stream'>[]): Pick<Transport, 'send' | 'stream'> {
	let count = 0;
	const next = () => {
		const replica = replicas[count++ % replicas.length];
		if (replica === undefined) throw new Error('There is no replica.');
		return replica;
	};
	return { send: (sent) => next().send(sent), stream: (sent) => next().stream(sent) };
}

/** Two services over a Redis of their own, which respond in turns. */
export async function startReplicas(url: string, close: () => Promise<void>): Promise<Transport> {
	const replicas = await Promise.all([openReplica(url), openReplica(url)]);
	return {
		origin,
		...inTurns(replicas.map(({ transport }) => transport)),
		async close() {
			for (const replica of replicas) replica.close();
			await close();
		}
	};
}
