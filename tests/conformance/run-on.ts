import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipReason, type HostLimits } from './case.ts';
import { cases } from './cases.ts';
import { runCase } from './run-case.ts';
import type { Transport } from './transport.ts';

/** Runs cases where the host is, in place of sending each request there. */
export type RemoteCases = {
	run(name: string): Promise<void>;
	close(): Promise<void>;
};

/** A host under test. */
export type Host = HostLimits & {
	readonly name: string;
	readonly start: () => Promise<Transport | RemoteCases>;
	/** How long a case may take, in milliseconds. Default: a minute. */
	readonly patience?: number;
	/** One case after the other, where the clock of one would be moved by the calls of another. */
	readonly oneByOne?: boolean;
};

/** Runs every case on a host, each in its own sandbox, several at once unless the host says otherwise. */
export function runOn(host: Host): void {
	const concurrent = host.oneByOne !== true;
	describe(`conformance: ${host.name}`, { concurrent, timeout: host.patience ?? 60_000 }, () => {
		let started: Transport | RemoteCases;
		beforeAll(async () => {
			started = await host.start();
		});
		afterAll(() => started.close());

		for (const one of cases) {
			if (skipReason(one, host) !== undefined) continue;
			it(one.name, () => ('run' in started ? started.run(one.name) : runCase(one, started)));
		}

		it('names only cases that there are, and gives a reason for each that it cannot show', () => {
			const names = new Set(cases.map((one) => one.name));
			expect(names.size, 'every case has its own name').toBe(cases.length);
			for (const [name, reason] of Object.entries(host.except ?? {})) {
				expect(names).toContain(name);
				expect(reason).not.toBe('');
			}
		});
	});
}
