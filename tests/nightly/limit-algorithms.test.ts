import fc from 'fast-check';
import { it, onTestFinished, vi } from 'vitest';
import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
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
