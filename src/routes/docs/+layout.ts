// A server renders them on request, with the name of its world.
export const prerender = __BROWSER_HOST__ ? 'auto' : false;
// A folder with an index file works on every static host.
export const trailingSlash = 'always';

export const load = () => ({ needsService: false as const });
