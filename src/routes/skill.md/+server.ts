import { base } from '$app/paths';
import { fetchWorld } from '#client/world.ts';
import { wordsOf } from '#client/world-words.ts';
import skill from '#features/docs/skill.md?raw';
import type { RequestEvent } from '@sveltejs/kit';

// A server names its own origin.
export const prerender = __BROWSER_HOST__;

/** What a coding agent needs to know to use the service, as a skill file (agentskills.io). */
export async function GET({ url, fetch }: RequestEvent): Promise<Response> {
	const home = `${__BROWSER_HOST__ ? '' : url.origin}${base}`;
	const world = __BROWSER_HOST__ ? __DEMO_WORLD__ : await fetchWorld(url.origin + base, fetch);
	const text = wordsOf(world)(skill.replaceAll('{base_url}', home));
	return new Response(text, { headers: { 'Content-Type': 'text/markdown; charset=utf-8' } });
}
