import type { DocPage } from './doc-page.ts';

const modules = import.meta.glob<DocPage>('../../content/docs/*.md', { import: 'default' });

/**
 * Loads a compiled page.
 * @param name of its Markdown file
 * @returns undefined where there is no such page
 */
export async function loadDocPage(name: string): Promise<DocPage | undefined> {
	return modules[`../../content/docs/${name}.md`]?.();
}
