// `auto`: below a sandbox the server renders them on request.
export const prerender = 'auto';
// A folder with an index file works on every static host.
export const trailingSlash = 'always';

export const load = () => ({ needsService: false as const });
