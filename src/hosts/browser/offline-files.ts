import * as v from 'valibot';

/** Files that few pages need, or only programs. They are downloaded on request. */
const rare = /latin-ext|\/(?:icon-\d+|moment)\.png$|\.schema\.json$|\/partner-world\.json$/;
/** Large files that few visitors need. */
const onDemand = /\/(?:on-demand\.|guide\.(?:js|css)$)/;

/** Where the static build has the list, below its base. It is a separate file, so that the first visit does not download it. */
export const offlineFilesPath = '/_app/offline-files.json';

/** The files of one version for use offline. Paths below the base. */
export const offlineFiles = v.object({ version: v.string(), paths: v.array(v.string()) });

export type OfflineFiles = v.InferOutput<typeof offlineFiles>;

/** Whether a file is downloaded ahead, for use offline. */
export function isAhead(path: string): boolean {
	return !rare.test(path) && !onDemand.test(path);
}

/** Whether a file is kept after its first use. */
export function isKeptAfterUse(path: string): boolean {
	return onDemand.test(path);
}
