import fc from 'fast-check';
import { it } from 'vitest';
import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { compareWithModel, inMilliseconds, streams, policies } from '../service/limit-models.ts';

it.each(limitAlgorithmNames)('%s decides like a second model on 10,000 streams', (name) => {
	fc.assert(
		fc.property(policies, streams, (policy, stream) => compareWithModel(name, inMilliseconds(policy), stream)),
		{ numRuns: 10_000 }
	);
});
