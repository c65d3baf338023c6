import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** The chunks that the static build does not download ahead. Few visitors use them, and they are large. */
const onDemand = [
	{ name: 'search-index', test: /\.md\?index$/, priority: 4 },
	{ name: 'api-reference', test: /\/content\/api\.md$/, priority: 4 }
];

/** Modules with chunks of their own that the static build does not download ahead either. */
const onDemandModules = ['moment-file'];

/** Names the files of the chunks that are not downloaded ahead, so that the service worker recognizes them. */
export function onDemandChunks(): Plugin {
	return {
		name: 'tollgate-on-demand-chunks',
		applyToEnvironment: ({ config }) => config.consumer === 'client',
		outputOptions(options) {
			const { chunkFileNames: nameOf } = options;
			if (typeof nameOf !== 'string') return;
			const names = new Set([...onDemand.map(({ name }) => name), ...onDemandModules]);
			const chunkFileNames = (chunk: Rolldown.PreRenderedChunk) =>
				names.has(chunk.name) ? nameOf.replace('[hash]', 'on-demand.[hash]') : nameOf;
			return { ...options, chunkFileNames };
		}
	};
}

/**
 * The files that pages share. Most visitors see the front page and the viewer: the first file has what every page and the front
 * page need, the second what the strip at the bottom of the pages needs besides, the third what the viewer needs besides, the last
 * one what at least four other pages share.
 * @param root the project's folder
 */
export function pageChunks(root: string): Rolldown.CodeSplittingGroup[] {
	const route = (path: string) => join(root, 'src/routes', path);
	return [
		...onDemand,
		{ name: importedBy('shell', [route('+layout.svelte'), route('+page.svelte')]), minShareCount: 2, priority: 3 },
		{ name: importedBy('strip', [join(root, 'src/features/inspector/strip/InspectorStrip.svelte')]), priority: 2 },
		{ name: importedBy('viewer', [route('viewer/+page.svelte')]), minShareCount: 2, priority: 1 },
		{ name: 'shared', minShareCount: 4 }
	];
}

/** The name of a file, for every module that these modules import, directly or through others. */
function importedBy(name: string, importers: readonly string[]): Rolldown.CodeSplittingNameFunction {
	let found: Set<string> | undefined;
	return (id, context) => {
		if (found === undefined) {
			found = new Set(importers);
			// A set can grow while it is iterated.
			for (const importer of found)
				for (const imported of context.getModuleInfo(importer)?.importedIds ?? []) found.add(imported);
		}
		return found.has(id) ? name : null;
	};
}
