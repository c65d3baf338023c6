import { boundTokenDifferences } from './bound-tokens.ts';
import type { Difference } from './difference.ts';
import { installedAndLimitDifferences } from './installed-and-limits.ts';
import { requestDifferences } from './requests.ts';
import { tokenDifferences } from './tokens.ts';

/** All differences between the specification and the standards of today. */
export const differences: readonly Difference[] = [
	...requestDifferences,
	...tokenDifferences,
	...boundTokenDifferences,
	...installedAndLimitDifferences
];
