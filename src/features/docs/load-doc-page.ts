import type { DocPage } from './doc-page.ts';

const modules = import.meta.glob<DocPage>('../../content/docs/*.md', { import: 'default' });

/**
 * Loads a page: a compiled one, or the one that is made of the file of a provider.
 * @param name of its Markdown file, or `providers/` and the name of the provider
 * @returns undefined where there is no such page
 */
export async function loadDocPage(name: string): Promise<DocPage | undefined> {
	const [folder, provider] = name.split('/');
	if (folder !== 'providers' || provider === undefined) return modules[`../../content/docs/${name}.md`]?.();
	const { loadProviderPage } = await import('./load-provider-page.ts');
	return loadProviderPage(provider, await loadDocPage(folder));
}
