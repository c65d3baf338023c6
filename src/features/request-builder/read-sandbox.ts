import type { ControlApi } from '#client/control-api/control-api.ts';
import { ControlError } from '#client/control-api/control-error.ts';
import type { World } from '#client/world.ts';
import { withSecrets, worldApplications, type BuilderApplication } from './application.ts';

/** What the builder knows of a sandbox. */
export type BuilderSandbox = {
	/** At least one. */
	readonly applications: readonly BuilderApplication[];
	/** False: the sandbox also accepts `Bearer` and HTTP Basic. */
	readonly isStrict: boolean;
};

/** Reads the applications and the settings. A visitor who does not control the sandbox gets those of the demo clients. */
export async function readSandbox(api: ControlApi, world: World): Promise<BuilderSandbox> {
	try {
		const [{ applications }, { strict }] = await Promise.all([
			api.request('GET /control/applications'),
			api.request('GET /control/settings')
		]);
		if (applications.length > 0)
			return { applications: withSecrets(applications, worldApplications(world, api.baseUrl)), isStrict: strict };
	} catch (thrown) {
		if (!(thrown instanceof ControlError)) throw thrown;
	}
	return { applications: worldApplications(world, api.baseUrl), isStrict: true };
}
