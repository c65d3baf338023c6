import { expect, it } from 'vitest';
import { placeOf, readRedisAddress } from '#hosts/node/redis/redis-address.ts';

const [one, other] = [
	{ host: 'one', port: 6379 },
	{ host: 'other', port: 7000 }
];

it.each([
	['redis://one', { kind: 'single', isTls: false, nodes: [one], database: 0 }],
	['rediss://one/2', { kind: 'single', isTls: true, nodes: [one], database: 2 }],
	['redis://[::1]:7000', { kind: 'single', isTls: false, nodes: [{ host: '::1', port: 7000 }], database: 0 }],
	[
		'redis://me:p%40ss@one/',
		{ kind: 'single', isTls: false, nodes: [one], username: 'me', password: 'p@ss', database: 0 }
	],
	['redis://:p@ss@one', { kind: 'single', isTls: false, nodes: [one], password: 'p@ss', database: 0 }],
	['redis+cluster://one,other:7000', { kind: 'cluster', isTls: false, nodes: [one, other], database: 0 }],
	[
		'rediss+sentinel://:pass@one,other:7000/main',
		{
			kind: 'sentinel',
			isTls: true,
			nodes: [{ host: 'one', port: 26379 }, other],
			password: 'pass',
			database: 0,
			primary: 'main'
		}
	]
])('reads the address %s', (text, address) => {
	expect(readRedisAddress(text)).toEqual(address);
});

it.each([
	'http://one',
	'redis://',
	'redis://one,other',
	'redis://one:0',
	'redis://one:65536',
	'redis://one/name',
	'redis://one?db=1',
	'redis+cluster://one/1',
	'redis+cluster://one,',
	'redis+sentinel://one',
	'redis+other://one',
	'redis://:%zz@one'
])('%s is no address', (text) => {
	expect(readRedisAddress(text)).toBeUndefined();
});

it('shows an address without user and password', () => {
	expect(placeOf('redis+cluster://me:s3cr@t@one,other:7000')).toBe('redis+cluster://one,other:7000');
	expect(placeOf('s3cret')).toBe('this address');
});
