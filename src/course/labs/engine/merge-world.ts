import type { LabWorld } from './lab-run.ts';

/** The world of a lab with what a defense changes of it. */
export function mergeWorld(world: LabWorld, change: Partial<LabWorld>): LabWorld {
	const [settings, other] = [world.settings, change.settings];
	return {
		...world,
		...change,
		client: { ...world.client, ...change.client },
		...((settings ?? other) && {
			settings: {
				...settings,
				...other,
				lifetimes: { ...settings?.lifetimes, ...other?.lifetimes },
				limits: { ...settings?.limits, ...other?.limits }
			}
		})
	};
}
