import type { TrafficEntry } from '#api/control/traffic.ts';
import type { ForeignClaims, HarContent } from './har-reading.ts';

/** Replaces host names in a text. */
export type HostReplacer = (text: string) => string;

/**
 * What replaces some host names wherever they occur, also percent-encoded.
 * @param nameOf what is shown in place of a host, by its position in the list
 */
export function hostReplacer(hosts: readonly string[], nameOf: (at: number) => string): HostReplacer {
	const spellings = hosts
		.flatMap((host, at): [string, string][] => [
			[host, nameOf(at)],
			[encodeURIComponent(host), nameOf(at)]
		])
		.sort(([one], [other]) => other.length - one.length);
	return (text) => spellings.reduce((result, [host, name]) => result.replaceAll(host, name), text);
}

/** Replaces all host names of a file, for a text that leaves this browser: `host-1.example` is that of the first request. */
export function withoutHosts({ exchanges }: Pick<HarContent, 'exchanges'>): HostReplacer {
	const hosts = exchanges.flatMap(({ host, tokens }) => [
		host,
		...tokens.flatMap(({ claims: { iss = '' } }) => hostIn(iss))
	]);
	return hostReplacer([...new Set(hosts)], (at) => `host-${at + 1}.example`);
}

const hostIn = (url: string): string[] => /^https?:\/\/([^/?#]+)/.exec(url)?.slice(1) ?? [];

/** An entry with other host names. */
export function replaceHosts<T extends Pick<TrafficEntry, 'request' | 'response'>>(entry: T, replace: HostReplacer): T {
	const headers = (pairs: readonly (readonly [string, string])[]) =>
		pairs.map(([name, value]): readonly [string, string] => [name, replace(value)]);
	const { request, response } = entry;
	return {
		...entry,
		request: {
			...request,
			target: replace(request.target),
			headers: headers(request.headers),
			body: replace(request.body)
		},
		response: response && { ...response, headers: headers(response.headers), body: replace(response.body) }
	};
}

/** Claims with other host names. */
export function replaceInClaims({ iss, aud, ...rest }: ForeignClaims, replace: HostReplacer): ForeignClaims {
	return {
		...rest,
		...(iss === undefined ? {} : { iss: replace(iss) }),
		...(aud === undefined ? {} : { aud: aud.map(replace) })
	};
}
