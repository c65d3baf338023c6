import type { ParamMatcher } from '@sveltejs/kit';

/** Matches the first segment of a path below a sandbox: `~k3v9x2q7`. */
export const match: ParamMatcher = (segment) => segment.startsWith('~');
