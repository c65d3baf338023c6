import * as v from 'valibot';
import { ownProviderFile, type OwnProviderFile } from '#api/world/provider.ts';
import type { World } from '../world/world.ts';
import type { ServedFile } from './provider-files.ts';

/** What the service needs of the API that a world describes, beside what its file says. */
export function servedFileOf(file: OwnProviderFile): OwnProviderFile & ServedFile {
	return { surprises: [], ...file, short: file.title, version: 1 };
}

/**
 * What `GET /control/provider` says of a world.
 * @throws v.ValiError where it is no description
 */
export function worldOf(provider: unknown): Pick<World, 'provider'> {
	return provider === undefined ? {} : { provider: servedFileOf(v.parse(ownProviderFile, provider)) };
}
