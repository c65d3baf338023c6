import type { DialectPart } from '#api/providers/dialect-schema.ts';
import type { Surprise } from '#api/providers/provider-file.ts';

/** What the service needs of a file of `src/content/providers`. The build of the pages checks the file. */
export type ServedFile = {
	readonly short: string;
	readonly version: number;
	readonly dialect: DialectPart;
	readonly surprises: readonly Pick<Surprise, 'title' | 'fact' | 'check'>[];
};

/** Files by the names of their providers. */
export type ProviderFiles = Readonly<Record<string, ServedFile>>;

const files = import.meta.glob<ServedFile>(
	['../../content/providers/*.yaml', '!../../content/providers/{specification,standard}.yaml'],
	{ eager: true, import: 'default', query: '?dialect' }
);

/** Undefined in the service worker, which every first visit downloads. It loads them when a sandbox speaks like a provider. */
export const providerFiles: ProviderFiles | undefined = Object.fromEntries(
	Object.entries(files).map(([path, file]) => [path.replace(/^.*\/|\.yaml$/g, ''), file])
);
