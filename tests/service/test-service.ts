import { hash, randomBytes } from 'node:crypto';
import { createService } from '#service/create-service.ts';
import { recordLimits } from '#service/record-limits.ts';
import type { Records } from '#service/records.ts';
import type { Service, ServiceOptions } from '#service/service.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { Store } from '#store/store.ts';
import { directTransport } from '../conformance/hosts/direct.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import type { Transport } from '../conformance/transport.ts';

/** A service on the bench: its clock stands until it is moved, passwords cost nothing, and what it borrows is counted. */
export type BenchService = {
	readonly service: Service;
	readonly options: ServiceOptions;
	readonly transport: Transport;
	readonly store: Store<Records>;
	/** The real clock, in milliseconds. */
	clock: number;
	/** How often each thing was borrowed. */
	readonly borrowed: { digest: number; scrypt: number };
	/** What the service reported. */
	readonly faults: unknown[];
	sandbox(): Promise<Sandbox>;
};

/** @param options in place of the bench's own */
export function benchService(options: Partial<ServiceOptions> = {}): BenchService {
	const store = options.store ?? createMemoryStore(recordLimits);
	const faults: unknown[] = [];
	const bench = { clock: 1_795_255_200_000, borrowed: { digest: 0, scrypt: 0 }, faults };
	const lent: ServiceOptions = {
		origin: 'https://tollgate.test',
		now: () => bench.clock,
		random: (count) => new Uint8Array(randomBytes(count)),
		digest: (text) => {
			bench.borrowed.digest++;
			return hash('sha256', text, 'base64url');
		},
		scrypt: (password, salt) => {
			bench.borrowed.scrypt++;
			const text = `${password} ${Buffer.from(salt).toString('hex')}`;
			return Promise.resolve(new Uint8Array(Buffer.from(hash('sha256', text, 'hex'), 'hex')));
		},
		sleep: () => Promise.resolve(),
		report: (fault) => bench.faults.push(fault),
		...options,
		store
	};
	const service = createService(lent);
	const transport = directTransport(service, lent.origin);
	return Object.assign(bench, { service, options: lent, transport, store, sandbox: () => Sandbox.create(transport) });
}
