import fc from 'fast-check';
import { it } from 'vitest';
import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { compareWithModel, inMilliseconds, pauses, policies } from '../service/limit-models.ts';

it.each(limitAlgorithmNames)('%s decides like a second model on 10,000 streams', (name) => {
	fc.assert(
		fc.property(policies, pauses, (policy, list) => compareWithModel(name, inMilliseconds(policy), list)),
		{ numRuns: 10_000 }
	);
});
