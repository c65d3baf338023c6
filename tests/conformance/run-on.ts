import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { skipReason, type Case, type HostLimits, type Part } from './case.ts';
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
	/** How long a case may take, in milliseconds. Default: five minutes, for machines many times slower than usual. */
	readonly patience?: number;
	/** The part that this host shows besides a tenth of the other cases. Default: all cases. */
	readonly shows?: Part;
	/** One case after the other, where the clock of one would be moved by the calls of another. */
	readonly oneByOne?: boolean;
};

/** Runs the cases of a host, each in its own sandbox, several at once unless the host says otherwise. */
export function runOn(host: Host): void {
	const concurrent = host.oneByOne !== true;
	describe(`conformance: ${host.name}`, { concurrent, timeout: host.patience ?? 300_000 }, () => {
		let started: Transport | RemoteCases;
		beforeAll(async () => {
			started = await host.start();
		});
		afterAll(() => started.close());

		for (const one of cases) {
			if (skipReason(one, host) !== undefined || !isChosen(one, host)) continue;
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

/** All cases in a nightly run. Each host has another tenth of the cases that it cannot change, always the same. */
function isChosen({ name: caseName, parts }: Case, { name, shows }: Host): boolean {
	if (shows === undefined || parts.includes(shows) || import.meta.env.MODE === 'nightly') return true;
	return createHash('sha256').update(`${name}: ${caseName}`).digest().readUInt16BE() % 10 === 0;
}
