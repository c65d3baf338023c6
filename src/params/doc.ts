import type { ParamMatcher } from '@sveltejs/kit';
import { docPages } from '#features/docs/doc-pages.ts';

/** Matches the names of documentation pages. All other names are unknown paths, which share one page. */
export const match: ParamMatcher = (name) => docPages.some((page) => page.name === name);
