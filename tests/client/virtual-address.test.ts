import { expect, test } from 'vitest';
import { addressHeaders, VirtualAddress } from '#client/virtual-address.svelte.ts';
import { blockStorage, WebStorage } from './web-storage.ts';

const key = 'tollgate:address';

test('a choice is stored, sent with requests, and taken back', () => {
	const { values } = new WebStorage();
	const address = new VirtualAddress();
	address.set('192.0.2.7');
	expect([address.value, values.get(key)]).toEqual(['192.0.2.7', '192.0.2.7']);
	expect(addressHeaders(address.value)).toEqual({ 'x-tollgate-address': '192.0.2.7' });
	address.set('');
	expect([address.value, values.size, addressHeaders(address.value)]).toEqual(['', 0, {}]);
});

test.each(['198.51.100.7', '192.0.2.256', 'x\r\ny'])('the stored address %j is not used', (stored) => {
	new WebStorage({ [key]: stored });
	const address = new VirtualAddress();
	address.start();
	expect(address.value).toBe('');
});

test('follows other tabs until it is stopped', () => {
	const storage = new WebStorage({ [key]: '192.0.2.7' });
	const address = new VirtualAddress();
	const stop = address.start();
	storage.changeElsewhere('another', '192.0.2.8');
	expect(address.value).toBe('192.0.2.7');
	storage.changeElsewhere(key, '2001:db8::1');
	expect(address.value).toBe('2001:db8::1');
	storage.changeElsewhere(null);
	expect(address.value).toBe('');
	stop();
	storage.changeElsewhere(key, '192.0.2.9');
	expect(address.value).toBe('');
});

test('without storage requests count for the network address', () => {
	blockStorage();
	const address = new VirtualAddress();
	address.set('192.0.2.7');
	expect(address.value).toBe('');
});
