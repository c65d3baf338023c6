import { isIP, isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readNetworkAddress } from '#service/address/network-address.ts';
import { createTestService } from '../test-service.ts';

const path = '/ws/v2.0/character/x';

it('RL-05 any IPv4 address is itself, mapped into IPv6 or with a port as well', () => {
	fc.assert(
		fc.property(fc.ipV4(), fc.integer({ min: 1, max: 65535 }), (ip, port) => {
			expect(readNetworkAddress(ip, [], 0)).toBe(ip);
			expect(readNetworkAddress(`::ffff:${ip}`, [], 0)).toBe(ip);
			expect(readNetworkAddress('10.0.0.1', ['X-Forwarded-For', `${ip}:${port}`], 1)).toBe(ip);
			expect(readNetworkAddress('10.0.0.1', ['X-Forwarded-For', `[::FFFF:${ip}]:${port}`], 1)).toBe(ip);
		})
	);
});

it('RL-05 any IPv6 address counts by its /64, however it is spelt', () => {
	fc.assert(
		fc.property(fc.ipV6(), (ip) => {
			const address = readNetworkAddress(ip, [], 0);
			expect(address).toMatch(/^[0-9a-f]{1,4}(:[0-9a-f]{1,4}){3}::\/64$|^\d+\.\d+\.\d+\.\d+$/);
			expect(readNetworkAddress(ip.toUpperCase(), [], 0)).toBe(address);
			expect(readNetworkAddress(`${ip}%eth0`, [], 0)).toBe(address);
			expect(readNetworkAddress('10.0.0.1', ['x-forwarded-for', `[${ip}]`], 1)).toBe(address);
		})
	);
	const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
	fc.assert(
		fc.property(groups, groups, (one, other) => {
			const [network = 0] = one;
			const address = (tail: readonly number[]) =>
				[network || 0x2001, ...one.slice(1, 4), ...tail.slice(4)].map((group) => group.toString(16)).join(':');
			expect(readNetworkAddress(address(one), [], 0)).toBe(readNetworkAddress(address(other), [], 0));
		})
	);
});

it('RL-05 what is no address is never one: the peer counts instead', () => {
	const odd = fc.oneof(
		fc.string(),
		fc.stringMatching(/^[0-9a-f:.[\]% ]{0,40}$/),
		fc.constantFrom(
			'',
			'<script>',
			'unknown',
			'1.2.3',
			'1.2.3.4.5',
			'1.2.3.256',
			'01.2.3.4',
			'1.2.3.4:',
			'::1::',
			':::'
		)
	);
	fc.assert(
		fc.property(odd, (text) => {
			const bare = text
				.trim()
				.replace(/^\[([^\]]*)\](:\d{1,5})?$/, '$1')
				.replace(/^([\d.]+):\d{1,5}$/, '$1');
			if (text.includes(',')) return;
			const address = readNetworkAddress('10.0.0.1', ['X-Forwarded-For', text], 1);
			if (isIP(bare) === 0) expect(address).toBe('10.0.0.1');
			else if (isIPv4(bare)) expect(address).toBe(bare);
			else expect(isIPv6(bare)).toBe(true);
		}),
		{ numRuns: 2000 }
	);
	expect(readNetworkAddress('', [], 0)).toBe('unknown');
});

it('RL-05 behind N proxies the N-th address from the right counts, and only it', () => {
	const forwarded = ['X-Forwarded-For', '6.6.6.6, 1.1.1.1', 'x-forwarded-for', ' 2.2.2.2 ,3.3.3.3'];
	expect([0, 1, 2, 3, 4].map((proxies) => readNetworkAddress('9.9.9.9', forwarded, proxies))).toEqual([
		'9.9.9.9',
		'3.3.3.3',
		'2.2.2.2',
		'1.1.1.1',
		'6.6.6.6'
	]);
	expect(readNetworkAddress('9.9.9.9', forwarded, 5), 'fewer hops than proxies').toBe('9.9.9.9');
	expect(readNetworkAddress('9.9.9.9', [], 1), 'no header').toBe('9.9.9.9');
	expect(readNetworkAddress('9.9.9.9', ['X-Forwarded-For', '1.1.1.1, junk'], 1)).toBe('9.9.9.9');
});

it('RL-05 with a trusted proxy clients have windows of their own, and cannot choose them', async () => {
	const tested = createTestService({ trustedProxies: 1 });
	const at = await tested.sandbox();
	const remaining = async (header: string) => (await at.get(path, 'X-Forwarded-For', header)).limit.remaining;
	expect(await remaining('1.1.1.1')).toBe(599);
	expect(await remaining('2.2.2.2')).toBe(599);
	expect(await remaining('7.7.7.7, 1.1.1.1')).toBe(598);
	expect(await remaining('2.2.2.2, 1.1.1.1')).toBe(597);
});

it('RL-05 ten thousand addresses of one IPv6 /64 share one window', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ limits: { character: 20_000 } });
	for (let host = 1; host <= 10_000; host++) await at.from(`2001:db8:1:2:${host.toString(16)}::1`).get(path);
	expect((await at.from('2001:db8:1:2::ffff').get(path)).limit.remaining).toBe(9_999);
	expect((await at.from('2001:db8:1:3::ffff').get(path)).limit.remaining).toBe(19_999);
});

it('RL-05 who is over the limit stays so, however many other addresses come', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ limits: { character: 1 } });
	const abuser = at.from('66.6.6.6');
	for (let call = 0; call < 3; call++) await abuser.get(path);
	for (let other = 0; other < 5_000; other++) await at.from(`10.1.${other >> 8}.${other & 255}`).get(path);
	expect((await abuser.get(path)).error).toBe('rate_limit_exceeded');
});
