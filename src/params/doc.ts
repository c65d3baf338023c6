import type { ParamMatcher } from '@sveltejs/kit';
import { docNames, firstDocPage } from '#features/docs/doc-names.ts';

/** Matches the names of documentation pages. All other names are unknown paths, which share one page. */
export const match: ParamMatcher = (name) =>
	name === firstDocPage || docNames.some(({ names }) => names.some((known) => known === name));
