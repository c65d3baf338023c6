import { base } from '$app/paths';
import { fetchWorld } from '#client/world.ts';
import { wordsOf } from '#client/world-words.ts';
import { docGroups, docHref } from '#features/docs/doc-pages.ts';
import { providerDocs, providersPage } from '#features/docs/provider-docs.ts';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import type { RequestEvent } from '@sveltejs/kit';

// A server lists the pages with its own origin.
export const prerender = __BROWSER_HOST__;

/** The pages of the documentation for coding agents (llmstxt.org). */
export async function GET({ url, fetch }: RequestEvent): Promise<Response> {
	const home = `${__BROWSER_HOST__ ? '' : url.origin}${base}`;
	const sections = docGroups.map(async ({ label, pages }) => {
		const all = pages.flatMap((page) => (page.name === providersPage ? [page, ...providerDocs] : page));
		const lines = all.map(async (page) => {
			const description = (await loadDocPage(page.name))?.description ?? '';
			return `- [${page.label}](${docHref(home, page.name)}): ${description}`;
		});
		return `## ${label}\n\n${(await Promise.all(lines)).join('\n')}\n`;
	});
	const text = `# Tollgate\n\n> A simulated OAuth 2.0 service with rate limits, to learn, to demonstrate and to test clients.\n\n${(await Promise.all(sections)).join('\n')}`;
	const world = __BROWSER_HOST__ ? __DEMO_WORLD__ : await fetchWorld(url.origin + base, fetch);
	return new Response(wordsOf(world)(text), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}
