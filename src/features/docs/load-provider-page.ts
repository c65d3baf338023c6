import { isProvider, loadProviderFile, providerList } from '../providers/provider-files.ts';
import type { DocPage } from './doc-page.ts';
import { providerPage } from './provider-page.ts';

/**
 * Loads the page of a provider, with its rows of the table of unmodified clients.
 * @param all the page of all providers, which has the table
 * @returns undefined where no provider has the name
 */
export async function loadProviderPage(name: string, all: DocPage | undefined): Promise<DocPage | undefined> {
	const about = providerList.find((one) => one.name === name && isProvider(name));
	if (about === undefined) return undefined;
	const content = await loadProviderFile(name);
	const clients = all?.blocks.find((block) => block.kind === 'table' && block.caption === 'Unmodified clients');
	return providerPage(about, content, clients?.kind === 'table' ? clients.rows : []);
}
