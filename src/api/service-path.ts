/** The first segments of the paths of the service. All other paths are pages of the application. */
export const serviceSegments = ['ws', 'ratelimiting', 'account', 'control', '.well-known', 'mcp', 'as'] as const;

const servicePath = new RegExp(
	`^(?:/~[^/?#]*)?/(?:${serviceSegments.join('|').replaceAll('.', '\\.')})(?:[/?#]|$)`,
	'i'
);

/**
 * Whether the service handles a path, in any sandbox. All other paths are pages of the application. The target is tested as sent,
 * and decoded and normalized, so that no spelling bypasses a host.
 * @param target path and query as sent
 */
export function isServicePath(target: string): boolean {
	if (servicePath.test(target)) return true;
	const path = target.split(/[?#]/, 1)[0] ?? '';
	if (!/[%\\]|\/\/|\/\.|^[^/]/.test(path)) return false;
	return servicePath.test(normalizePath(path));
}

/**
 * Whether a path is below a sandbox other than the root, known or not.
 * @param target path and query as sent
 */
export function hasSandboxPrefix(target: string): boolean {
	return /^\/(?:~|%7e)/i.test(target);
}

function normalizePath(path: string): string {
	const decoded = path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	const parts: string[] = [];
	for (const part of decoded.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[/\\]+/)) {
		if (part === '..') parts.pop();
		else if (part !== '' && part !== '.') parts.push(part);
	}
	return `/${parts.join('/')}`;
}
