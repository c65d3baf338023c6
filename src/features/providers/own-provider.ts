import * as v from 'valibot';
import { ownProvider } from '#api/dialect.ts';
import { ownProviderFile, type OwnProviderFile } from '#api/world/provider.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import type { ProviderAbout, ProviderContent } from './provider-files.ts';

/** The provider that the world of a sandbox describes. Undefined: it describes none. */
export async function readOwn(api: ControlApi): Promise<OwnProviderFile | undefined> {
	const { provider } = await api.request('GET /control/provider');
	return provider && v.parse(ownProviderFile, provider);
}

/** What the list has of it. */
export function aboutOwn({ title, surprises = [] }: OwnProviderFile): ProviderAbout {
	return { name: ownProvider, title, short: title, count: surprises.length };
}

/** The rest, in the form of a file. */
export function contentOfOwn(own: OwnProviderFile): ProviderContent {
	return { version: 1, extends: 'standard', sources: [], surprises: [], notSimulated: [], ...own };
}
