import { minify } from 'terser';
import type { Plugin } from 'vite';

/**
 * Code without what Vite's own minifier leaves in it. That takes many times longer, so only what each first visit downloads is worth it.
 * @param code a module
 */
export async function minifyAgain(code: string): Promise<string> {
	const compress = { passes: 3, ecma: 2022, unsafe_arrows: true } as const;
	return (await minify(code, { module: true, ecma: 2022, compress })).code ?? code;
}

/** Vite plugin for the files of the first visit: what every page needs, and the app, which knows the files of all pages. */
export function firstVisit(): Plugin {
	return {
		name: 'tollgate-first-visit',
		enforce: 'post',
		applyToEnvironment: ({ config }) => config.consumer === 'client',
		async generateBundle(_, bundle) {
			for (const file of Object.values(bundle))
				if (file.type === 'chunk' && (file.name === 'shell' || file.name === 'entry/app'))
					file.code = await minifyAgain(file.code);
		}
	};
}
