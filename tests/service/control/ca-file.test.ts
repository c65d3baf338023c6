import { expect, test } from 'vitest';
import type { ServiceOptions } from '#service/core/options.ts';
import { ClassServer } from '../class/class-server.ts';
import { createTestService } from '../test-service.ts';

const caFile = '/srv/tollgate/tls/ca.pem';
const ca = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

/** The body of the status of the root sandbox, for a visitor of a server with a certificate authority. */
async function statusFor(
	from: string,
	headers: string[] = [],
	options: Partial<ServiceOptions> = {}
): Promise<string | undefined> {
	const { transport } = createTestService({ caFile, origin: 'https://localhost:8443', ...options });
	return (await transport.send({ target: '/control/status', from, headers }))?.body;
}

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('tells a visitor at %s where the authority is', async (from) => {
	expect(await statusFor(from)).toContain(`"ca_file":"${caFile}"`);
});

test.each(['192.168.0.7', '2001:db8::1', 'unknown'])('tells a visitor at %s no path of the server', async (from) => {
	expect(await statusFor(from)).not.toContain('ca_file');
});

test.each([
	['X-Forwarded-For', '127.0.0.1'],
	['Forwarded', 'for=127.0.0.1'],
	['Via', '1.1 proxy']
])('tells a visitor behind a proxy with %s no path of the server', async (name, value) => {
	expect(await statusFor('127.0.0.1', [name, value])).not.toContain('ca_file');
	expect(await statusFor('127.0.0.1', [name, value], { trustedProxies: 1 })).not.toContain('ca_file');
});

test('tells no path to visitors of a public address', async () => {
	for (const origin of ['https://tollgate.example', 'https://localhost.example:8443'])
		expect(await statusFor('127.0.0.1', [], { origin })).not.toContain('ca_file');
});

test('has no path where the host created no authority', async () => {
	const { transport } = createTestService({ origin: 'https://localhost:8443' });
	expect((await transport.send({ target: '/control/status' }))?.body).not.toContain('ca_file');
});

test('tells the seat of a class no path, but that there is an authority to download', async () => {
	const server = new ClassServer({ caFile, ca, origin: 'https://localhost:8443' });
	const seat = await server.join((await server.open()).code);
	const { text } = await server.send('GET', `/~${seat.id}/control/status`);
	expect(text).toContain('"has_ca":true');
	expect(text).not.toContain('ca_file');
	const response = await server.send('GET', `/~${seat.id}/control/ca.pem`);
	expect([response.status, response.text]).toEqual([200, ca]);
	expect(response.header('content-disposition')).toBe('attachment; filename="ca.pem"');
});

test('offers no authority where a proxy has the certificate, and returns none where the host created none', async () => {
	expect(await statusFor('127.0.0.1', ['X-Forwarded-For', '10.0.0.1'], { ca })).toContain('"has_ca":false');
	const { transport } = createTestService({ origin: 'https://localhost:8443' });
	expect((await transport.send({ target: '/control/status' }))?.body).toContain('"has_ca":false');
	expect((await transport.send({ target: '/control/ca.pem' }))?.status).toBe(404);
});
