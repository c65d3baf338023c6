import { hasSandboxPrefix } from '#service/service.ts';

/** The pages of the application below its own path or a sandbox's; those of the service are known by `ownsTarget`. */
export const pages = ['/', '/companion', '/viewer', '/viewer/callback'];

/**
 * Whether an address is shown by the application, so that its worker need ask nobody for it. All below `/~…` are.
 * @param path below the path of the application
 */
export function isPage(path: string): boolean {
	return hasSandboxPrefix(path) || pages.includes(path.replace(/(?<=.)\/$/, ''));
}
