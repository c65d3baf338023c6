import { error } from '@sveltejs/kit';
import type { PageLoad } from './$types';

/** Exists in development only: `import.meta.env.DEV` is false in a build, and the guide falls out of it. */
export const load: PageLoad = async () => {
	if (import.meta.env.DEV) {
		const { default: Guide } = await import('./Guide.svelte');
		return { Guide };
	}
	error(404, 'The style guide exists in development only.');
};
