import type { Case } from './case.ts';
import { TrafficValidator } from './openapi/traffic-validator.ts';
import { Sandbox } from './sandbox.ts';
import type { Transport } from './transport.ts';

const validator = new TrafficValidator();

/** Runs a case in its own sandbox. All its traffic must be as the OpenAPI document says. */
export async function runCase(one: Case, transport: Transport): Promise<void> {
	const sandbox = await Sandbox.create(validator.watch(transport));
	try {
		await one.run(sandbox);
	} finally {
		await sandbox.remove();
	}
}
