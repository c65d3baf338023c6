import { isProvider, loadProviderFile, providerList } from '../providers/provider-files.ts';
import type { DocPage } from './doc-page.ts';
import { loadDocPage } from './load-doc-page.ts';
import { providersPage } from './provider-docs.ts';
import { providerPage } from './provider-page.ts';

/**
 * Loads the page of a provider, with its rows of the table of unmodified clients.
 * @returns undefined where no provider has the name
 */
export async function loadProviderPage(name: string): Promise<DocPage | undefined> {
	const about = providerList.find((one) => one.name === name && isProvider(name));
	if (about === undefined) return undefined;
	const [content, all] = await Promise.all([loadProviderFile(name), loadDocPage(providersPage)]);
	const clients = all?.blocks.find((block) => block.kind === 'table' && block.caption === 'Unmodified clients');
	return providerPage(about, content, clients?.kind === 'table' ? clients.rows : []);
}
