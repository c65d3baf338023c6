import type { PublicWorld } from '#api/control/world.ts';
import { setHostStatus } from './host-status.svelte.ts';
import { readWorldFile } from './world-file.ts';

let reading: Promise<PublicWorld> | undefined;

/**
 * The world of this site for its pages, before the service has started: that of `world.json` beside `index.html`. The demo world
 * where there is no such file, or where it has a mistake, which the host status then shows.
 * @param base path of the app, without a trailing slash
 */
export function readSiteWorld(base: string): Promise<PublicWorld> {
	return (reading ??= read(base));
}

async function read(base: string): Promise<PublicWorld> {
	const text = await readWorldFile(base).catch(() => undefined);
	if (text === undefined) return __DEMO_WORLD__;
	// Few sites have a world of their own.
	const { parseWorld } = await import('./parse-world.ts');
	const parsed = parseWorld(text);
	if (parsed.world !== undefined) return parsed.shown;
	setHostStatus({ worldMistake: parsed.mistake });
	return __DEMO_WORLD__;
}
