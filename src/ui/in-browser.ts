/**
 * Whether a browser runs this, not the server. Only browsers import what opens on demand: SvelteKit inlines the styles of all that the
 * server can import in each page.
 */
export const inBrowser = !import.meta.env.SSR;
