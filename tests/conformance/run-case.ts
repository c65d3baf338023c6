import type { Case } from './case.ts';
import { Sandbox } from './sandbox.ts';
import type { Transport } from './transport.ts';

/** Runs a case in a sandbox of its own. */
export async function runCase(one: Case, transport: Transport): Promise<void> {
	const sandbox = await Sandbox.create(transport);
	try {
		await one.run(sandbox);
	} finally {
		await sandbox.remove();
	}
}
