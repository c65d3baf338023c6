import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { caCertificates } from '#client/cli/ca-certificates.server.ts';

const pem = (name: string) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`;
let root = '';

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'tollgate-ca-'));
	mkdirSync(join(root, '.tollgate', 'tls'), { recursive: true });
	writeFileSync(join(root, '.tollgate', 'tls', 'ca.pem'), pem('local'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('trusts the CA of the local Tollgate for services on this machine only', () => {
	expect(caCertificates('https://localhost:8443', undefined, { env: {}, root })).toEqual([pem('local')]);
	expect(caCertificates('https://service.example', undefined, { env: {}, root })).toBeUndefined();
	expect(caCertificates('https://localhost.example', undefined, { env: {}, root })).toBeUndefined();
});

test('finds the CA in DATA_DIR, and otherwise uses those of Node', () => {
	mkdirSync(join(root, 'data', 'tls'), { recursive: true });
	writeFileSync(join(root, 'data', 'tls', 'ca.pem'), pem('moved'));
	const from = (DATA_DIR: string) => caCertificates('https://localhost', undefined, { env: { DATA_DIR }, root });
	expect(from('data')).toEqual([pem('moved')]);
	expect(from('nowhere')).toBeUndefined();
});

test('trusts the file of --ca instead, and that of NODE_EXTRA_CA_CERTS', () => {
	const [mine, extra] = [join(root, 'mine.pem'), join(root, 'extra.pem')];
	writeFileSync(mine, pem('mine'));
	writeFileSync(extra, pem('extra'));
	const trusted = (env: Record<string, string>) => caCertificates('https://localhost', mine, { env, root });
	expect(trusted({})).toEqual([pem('mine')]);
	expect(trusted({ NODE_EXTRA_CA_CERTS: extra })).toEqual([pem('mine'), pem('extra')]);
	expect(trusted({ NODE_EXTRA_CA_CERTS: join(root, 'none.pem') })).toEqual([pem('mine')]);
});

test('rejects a file that contains no certificate', () => {
	writeFileSync(join(root, 'odd.pem'), 'hello');
	expect(() => caCertificates('https://localhost', join(root, 'odd.pem'), { env: {}, root })).toThrow('odd.pem');
});
