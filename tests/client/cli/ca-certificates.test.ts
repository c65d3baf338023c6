import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { caCertificates } from '#client/cli/ca-certificates.server.ts';

const pem = (name: string) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`;
let root = '';

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'tollgate-trust-'));
	mkdirSync(join(root, '.tollgate', 'tls'), { recursive: true });
	writeFileSync(join(root, '.tollgate', 'tls', 'ca.pem'), pem('local'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('the authority of the Tollgate in this folder is trusted on this machine, and for nobody else', () => {
	expect(caCertificates('https://localhost:8443', undefined, { env: {}, root })).toEqual([
		...rootCertificates,
		pem('local')
	]);
	expect(caCertificates('https://service.example', undefined, { env: {}, root })).toBeUndefined();
	expect(caCertificates('https://localhost.example', undefined, { env: {}, root })).toBeUndefined();
});

test('its folder may be another; where it has none, Node’s own authorities will do', () => {
	mkdirSync(join(root, 'data', 'tls'), { recursive: true });
	writeFileSync(join(root, 'data', 'tls', 'ca.pem'), pem('moved'));
	const from = (DATA_DIR: string) => caCertificates('https://localhost', undefined, { env: { DATA_DIR }, root });
	expect(from('data')?.at(-1)).toBe(pem('moved'));
	expect(from('nowhere')).toBeUndefined();
});

test('the one that is named takes its place, and what Node was told to trust comes along', () => {
	const [mine, extra] = [join(root, 'mine.pem'), join(root, 'extra.pem')];
	writeFileSync(mine, pem('mine'));
	writeFileSync(extra, pem('extra'));
	const trusted = (env: Record<string, string>) => caCertificates('https://localhost', mine, { env, root })?.slice(-2);
	expect(trusted({})).toEqual([rootCertificates.at(-1), pem('mine')]);
	expect(trusted({ NODE_EXTRA_CA_CERTS: extra })).toEqual([pem('mine'), pem('extra')]);
	expect(trusted({ NODE_EXTRA_CA_CERTS: join(root, 'none.pem') })).toEqual([rootCertificates.at(-1), pem('mine')]);
});

test('a file without a certificate is no authority', () => {
	writeFileSync(join(root, 'odd.pem'), 'hello');
	expect(() => caCertificates('https://localhost', join(root, 'odd.pem'), { env: {}, root })).toThrow('odd.pem');
});
