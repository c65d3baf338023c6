import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { longestRun, runFleet } from '#course/limits/engine/fleet.ts';
import { compareWithModel, inMilliseconds, streams, policies } from '../service/limit-models.ts';
import { compareWithLibrary } from '../service/limit-oracle.ts';

it.each(limitAlgorithmNames)('%s decides like a second model on 10,000 streams', (name) => {
	fc.assert(
		fc.property(policies, streams, (policy, stream) => compareWithModel(name, inMilliseconds(policy), stream)),
		{ numRuns: 10_000 }
	);
});

it('a fixed window decides like rate-limiter-flexible on 10,000 streams', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	await fc.assert(
		fc.asyncProperty(policies, streams, (policy, stream) => compareWithLibrary(inMilliseconds(policy), stream)),
		{ numRuns: 10_000 }
	);
});

it('a fleet of 200 clients is computed for an hour in less than 3 seconds', () => {
	const started = performance.now();
	const { requests } = runFleet({
		groups: [{ policy: 'fixed', clients: 200 }],
		algorithm: 'fixed_window',
		limit: { limit: 10, window: 60_000 },
		address: 'shared',
		blacklistAfter: 100_000,
		lookups: 3,
		seed: 3
	});
	expect(requests.at(-1)?.at).toBeGreaterThan(longestRun * 0.9);
	expect(performance.now() - started).toBeLessThan(3000);
});
