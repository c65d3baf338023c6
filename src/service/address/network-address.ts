import { headerValues } from '#api/headers.ts';
import { memoize } from '#lib/memoize.ts';

/**
 * The network address of a client: IPv4 unchanged, mapped IPv4 as IPv4, `::1` as
 * `127.0.0.1`, other IPv6 as its /64.
 * @param peer the other end of the connection
 * @param headers of the request, flat
 * @param trustedProxies the position of the address in `X-Forwarded-For`, counted from the right. 0, or no header: the peer
 */
export function readNetworkAddress(peer: string, headers: readonly string[], trustedProxies: number): string {
	if (trustedProxies > 0) {
		const hops = headerValues(headers, 'x-forwarded-for').join(',').split(',');
		const hop = hops[hops.length - trustedProxies];
		const address = hop === undefined ? undefined : normalizeAddress(hop.trim());
		if (address !== undefined) return address;
	}
	return peerAddress(peer);
}

const peerAddress = memoize((peer) => normalizeAddress(peer) ?? 'unknown');

/**
 * The form in which a virtual address counts: an address of the ranges for documentation (RFC 5737, RFC 3849), IPv6 as its /64.
 * @returns undefined for any other text
 */
export function readVirtualAddress(text: string): string | undefined {
	return /^(?:192\.0\.2\.\d{1,3}|2001:0?db8:[0-9a-f:]*)$/i.test(text) ? normalizeAddress(text) : undefined;
}

/** Whether an address that is counted is a virtual one. */
export function isVirtual(address: string): boolean {
	return /^(?:192\.0\.2\.|2001:db8:)/.test(address);
}

function normalizeAddress(text: string): string | undefined {
	if (text.length > 64) return undefined;
	const v4 = /^((?:\d{1,3}\.){3}\d{1,3})(?::\d{1,5})?$/.exec(text)?.[1];
	// Some parsers, ipaddr.js among them, read a number with a leading zero as octal. It is rejected here.
	if (v4 !== undefined)
		return v4.split('.').every((number) => /^(?:0|[1-9]\d*)$/.test(number) && Number(number) <= 255) ? v4 : undefined;
	return text.includes(':')
		? normalizeIpv6(text.replace(/^\[([^\]]*)\](?::\d{1,5})?$/, '$1').replace(/%[\w.:-]+$/, ''))
		: undefined;
}

function normalizeIpv6(text: string): string | undefined {
	const mapped = /^(.*:)(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})$/.exec(text);
	const tail = mapped === null ? undefined : normalizeAddress(mapped[2] ?? '');
	if (mapped !== null && tail === undefined) return undefined;
	const groups = expand(mapped === null ? text : `${mapped[1] ?? ''}${hexTail(tail ?? '')}`);
	if (groups === undefined) return undefined;
	if (groups.every((group, at) => group === (at === 7 ? 1 : 0))) return '127.0.0.1';
	if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
		const [high = 0, low = 0] = groups.slice(6);
		return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
	}
	return `${groups
		.slice(0, 4)
		.map((group) => group.toString(16))
		.join(':')}::/64`;
}

function hexTail(v4: string): string {
	const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
	return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function expand(text: string): number[] | undefined {
	const halves = text.split('::');
	if (halves.length > 2) return undefined;
	const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
	const missing = 8 - head.length - tail.length;
	if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
	const groups = [...head, ...Array<string>(halves.length === 2 ? missing : 0).fill('0'), ...tail];
	if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
	return groups.map((group) => parseInt(group, 16));
}
