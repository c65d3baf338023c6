import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDiskStore } from '#hosts/node/disk/disk-store.server.ts';
import { startServer } from '#hosts/node/server.server.ts';
import { createNodeService } from '#hosts/node-service.server.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { fastScrypt } from '../conformance/hosts/fast-scrypt.ts';
import { socketTransport } from '../conformance/hosts/sockets.ts';
import { runOn } from '../conformance/run-on.ts';
import type { Transport } from '../conformance/transport.ts';
import { testCertificate } from '../hosts/certificate.ts';

runOn({ name: 'node host with STORE=disk', start: startOnDisk });

async function startOnDisk(): Promise<Transport> {
	const folder = await mkdtemp(join(tmpdir(), 'tollgate-'));
	const { certificate } = await testCertificate();
	const report = (fault: unknown) => console.error(fault);
	const store = await openDiskStore<Records>(folder, recordLimits, report);
	const service = (origin: string) => createNodeService({ report, origin, store, scrypt: fastScrypt });
	const server = await startServer({ certificate, report, service });
	return socketTransport(server.origin, async () => {
		await server.close();
		await store.close();
		await rm(folder, { recursive: true });
	});
}
