// What keeps what it has read. Vite bundles its configuration again for each build of a process, and would have a copy of it in each.

/** @param {string} path */
const load = (path) => import(new URL(path, import.meta.url).href);

/** @type {typeof import('./content.js')} */
export const { contentFiles } = await load('./content.js');
/** @type {typeof import('../import-source.js')} */
export const { importSource } = await load('../import-source.js');
/** @type {typeof import('../utilities.js')} */
export const { utilityStyles } = await load('../utilities.js');
