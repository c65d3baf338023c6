import { BlockList, isIP } from 'node:net';

/** Special-use IPv4 addresses (RFC 6890 and its registry): none of them is a public server. */
const special = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.0.2.0', 24],
	['192.31.196.0', 24],
	['192.52.193.0', 24],
	['192.88.99.0', 24],
	['192.168.0.0', 16],
	['192.175.48.0', 24],
	['198.18.0.0', 15],
	['198.51.100.0', 24],
	['203.0.113.0', 24],
	['224.0.0.0', 3]
] as const;
/** Special-use addresses within 2000::/3. No other IPv6 address is global, also none that contains an IPv4 address. */
const specialIpv6 = [
	['2001::', 23],
	['2001:db8::', 32],
	['2002::', 16],
	['2620:4f:8000::', 48],
	['3fff::', 20]
] as const;

const blocked = new BlockList();
for (const [network, bits] of special) blocked.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of specialIpv6) blocked.addSubnet(network, bits, 'ipv6');
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an address, without brackets, is one of a public server. */
export function isPublicAddress(address: string): boolean {
	const version = isIP(address);
	if (version === 4) return !blocked.check(address, 'ipv4');
	return version === 6 && global.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
}

/** Whether an address, without brackets, is one of this machine. IPv4 in IPv6 is none. */
export function isLoopbackAddress(address: string): boolean {
	const version = isIP(address);
	if (version === 6) return address === '::1';
	return version === 4 && loopback.check(address, 'ipv4');
}
