import { decodePercent } from '#lib/percent.ts';

/** The id of the sandbox whose base URL is the origin. */
export const rootSandbox = 'root';

/** The parts of a request target. */
export type Target = {
	readonly sandboxId: string | undefined;
	/** The path below the base URL of the sandbox, still encoded. */
	readonly path: string;
	/** The raw query, without the `?`. */
	readonly query: string;
};

/** A metadata document of a sandbox: its base URL is behind the well-known path (RFC 8414, section 3.1; RFC 9728, section 3.1). */
const wellKnown = /^(\/\.well-known\/[a-z-]+)\/((?:~|%7e)[^/]*)(.*)$/is;

/**
 * Splits a request target. An absolute URL is read from its path on.
 * @param target path and query as sent
 */
export function readTarget(target: string): Target {
	const relative = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
	const mark = relative.indexOf('?');
	const whole = mark < 0 ? relative : relative.slice(0, mark);
	const query = mark < 0 ? '' : relative.slice(mark + 1);
	const [, document, id, suffix = ''] = wellKnown.exec(whole) ?? [];
	if (document !== undefined && id !== undefined)
		return { sandboxId: (decodePercent(id, false) ?? '~').slice(1), path: document + suffix, query };
	const [, prefix, rest] = (/^\/[~%]/.test(whole) && /^\/((?:~|%7e)[^/]*)(.*)$/is.exec(whole)) || [];
	if (prefix === undefined || rest === undefined) return { sandboxId: undefined, path: whole, query };
	return { sandboxId: (decodePercent(prefix, false) ?? '~').slice(1), path: rest === '' ? '/' : rest, query };
}
