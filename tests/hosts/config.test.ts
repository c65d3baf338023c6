import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#hosts/config.server.ts';
import { ConfigError } from '#hosts/read-setting.server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const secret = 'a-secret-of-some-length';

test('defaults to localhost, port 8443, for this machine only, with seats to try a class', () => {
	expect(readConfig({}, '/app')).toEqual({
		port: 8443,
		host: 'localhost',
		origin: 'https://localhost:8443',
		trustedProxies: 0,
		sandboxPerVisitor: false,
		fetchesDocuments: true,
		classSeats: 30,
		isPlainHttp: false,
		log: 'off',
		store: 'memory',
		dataFolder: '/app/.tollgate',
		embed: []
	});
	expect(readConfig({ PORT: '', HOST: '', ORIGIN: '', ADMIN_KEY: '' }, '/app')).toEqual(readConfig({}, '/app'));
});

test('has no seats by default where other machines can reach the server', () => {
	expect(readConfig({ HOST: 'tollgate.example', ADMIN_KEY: secret }, '/app').classSeats).toBe(0);
	expect(readConfig({ CLASS_SEATS: '0' }, '/app').classSeats).toBe(0);
});

test('reads every setting', () => {
	const environment = {
		PORT: '443',
		HOST: '0.0.0.0',
		ORIGIN: 'https://Tollgate.Example/',
		TRUSTED_PROXIES: '2',
		ADMIN_KEY: secret,
		TLS_CERT: 'tls/a.pem',
		TLS_KEY: '/etc/b.pem',
		EMBED: 'https://partner.example',
		DATA_DIR: 'data',
		STORE: 'disk',
		CLASS_SEATS: '30',
		MANAGEMENT_PORT: '9090',
		MANAGEMENT_HOST: '10.0.0.2',
		LOG: 'json',
		CLIENT_DOCUMENTS: 'hosted'
	};
	expect(readConfig(environment, '/app')).toEqual({
		port: 443,
		host: '0.0.0.0',
		origin: 'https://tollgate.example',
		trustedProxies: 2,
		adminKey: secret,
		sandboxPerVisitor: true,
		fetchesDocuments: false,
		classSeats: 30,
		isPlainHttp: false,
		log: 'json',
		store: 'disk',
		management: { host: '10.0.0.2', port: 9090 },
		tls: { cert: '/app/tls/a.pem', key: '/etc/b.pem' },
		embed: ['https://partner.example'],
		dataFolder: '/app/data'
	});
});

test('keeps the management port on this machine, wherever the service listens', () => {
	const environment = {
		HOST: '0.0.0.0',
		ORIGIN: 'https://tollgate.example',
		ADMIN_KEY: secret,
		MANAGEMENT_PORT: '9090'
	};
	expect(readConfig(environment, '/app').management).toEqual({ host: 'localhost', port: 9090 });
});

test('reads the admin key from a file', async () => {
	const folder = await temporaryFolder();
	await writeFile(join(folder, 'key'), `${secret}\n`);
	expect(readConfig({ ADMIN_KEY_FILE: 'key' }, folder).adminKey).toBe(secret);
});

test('reads the address of Redis, also from a file, because it may contain a password', async () => {
	const folder = await temporaryFolder();
	await writeFile(join(folder, 'store'), 'rediss://user:password@redis.example:6380/2\n');
	const { store, redis } = readConfig({ STORE_FILE: 'store', STORE_PREFIX: 'class-1' }, folder);
	expect([store, redis]).toEqual(['redis', { url: 'rediss://user:password@redis.example:6380/2', prefix: 'class-1' }]);
	expect(readConfig({ STORE: 'redis://localhost' }, folder).redis?.prefix).toBe('tollgate');
});

test('does not repeat what is in the file of STORE_FILE', async () => {
	const folder = await temporaryFolder();
	await writeFile(join(folder, 'store'), 'only-the-password\n');
	const read = () => readConfig({ STORE_FILE: 'store' }, folder);
	expect(read).toThrow('STORE is not an address of Redis. Set it to memory, disk, or');
});

test('gives visitors sandboxes where there is an admin key, unless the operator turned it off', () => {
	expect(readConfig({ ADMIN_KEY: secret, VISITOR_SANDBOXES: 'on' }, '/app').sandboxPerVisitor).toBe(true);
	expect(readConfig({ ADMIN_KEY: secret, VISITOR_SANDBOXES: 'off' }, '/app').sandboxPerVisitor).toBe(false);
	expect(readConfig({ VISITOR_SANDBOXES: 'on' }, '/app').sandboxPerVisitor).toBe(false);
});

test.each([
	['localhost', '443', 'https://localhost'],
	['127.0.0.1', '8443', 'https://127.0.0.1:8443'],
	['::1', '8443', 'https://[::1]:8443']
])('the origin of %s, port %s, is %s', (HOST, PORT, origin) => {
	expect(readConfig({ HOST, PORT }, '/app').origin).toBe(origin);
});

test.each([
	[{ PORT: '70000' }, 'PORT is "70000". Set it to a whole number from 0 to 65535.'],
	[{ PORT: '84x' }, 'PORT is "84x"'],
	[{ PORT: '-1' }, 'PORT is "-1"'],
	[{ HOST: 'a b' }, 'HOST is "a b"'],
	[{ VISITOR_SANDBOXES: 'no' }, 'VISITOR_SANDBOXES is "no". Set it to on or off.'],
	[{ TRUSTED_PROXIES: 'yes' }, 'TRUSTED_PROXIES is "yes"'],
	[{ ORIGIN: 'http://localhost' }, 'ORIGIN is "http://localhost"'],
	[{ ORIGIN: 'https://localhost/app' }, 'ORIGIN is'],
	[{ ORIGIN: 'localhost' }, 'ORIGIN is'],
	[{ ORIGIN: 'https://a@localhost' }, 'ORIGIN is'],
	[{ ORIGIN: 'https://a:private@localhost' }, 'ORIGIN is a URL with a password.'],
	[{ ADMIN_KEY: 'short' }, 'ADMIN_KEY is shorter than 16 characters'],
	[{ HOST: '0.0.0.0', ADMIN_KEY: secret }, 'Set ORIGIN'],
	[{ HOST: '0.0.0.0', ORIGIN: 'https://localhost:8443' }, 'Set ADMIN_KEY'],
	[{ HOST: '192.168.1.7' }, 'Set ADMIN_KEY'],
	[{ ORIGIN: 'https://tollgate.example' }, 'Set ADMIN_KEY'],
	[{ TRUSTED_PROXIES: '1' }, 'Set ADMIN_KEY'],
	[{ TLS_CERT: 'a.pem' }, 'Set both TLS_CERT and TLS_KEY'],
	[{ MANAGEMENT_PORT: '8443' }, 'PORT and MANAGEMENT_PORT are both 8443.'],
	[{ MANAGEMENT_HOST: 'a b' }, 'MANAGEMENT_HOST is "a b"'],
	[{ MANAGEMENT_PORT: 'x' }, 'MANAGEMENT_PORT is "x"'],
	[{ PLAIN_HTTP: 'on' }, 'PLAIN_HTTP is for a server behind a proxy'],
	[{ ADMIN_KEY_FILE: '/nowhere/key' }, 'Cannot read /nowhere/key, the file in ADMIN_KEY_FILE (ENOENT).'],
	[{ ADMIN_KEY_FILE: 'key', ADMIN_KEY: secret }, 'Set ADMIN_KEY or ADMIN_KEY_FILE, not both.'],
	[{ STORE: 'floppy' }, 'STORE is "floppy". Set it to memory, disk, or an address'],
	[{ STORE: 'redis://:secret@/0' }, 'STORE is not an address of Redis. Set it to'],
	[{ STORE: 'http://localhost:6379' }, 'STORE is not an address of Redis.'],
	[{ STORE: 'redis://localhost/db?x' }, 'STORE is not an address of Redis.'],
	[{ STORE: 'redis://localhost', STORE_PREFIX: 'a{b}' }, 'STORE_PREFIX is "a{b}".'],
	[{ STORE: 'disk', STORE_PREFIX: 'a' }, 'STORE_PREFIX is for a store in Redis.'],
	[{ TLS_KEY: 'a.pem' }, 'Set both TLS_CERT and TLS_KEY']
])('rejects %j with a message', (environment, sentence) => {
	expect(() => readConfig(environment, '/app')).toThrow(ConfigError);
	expect(() => readConfig(environment, '/app')).toThrow(sentence);
});
