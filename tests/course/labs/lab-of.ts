import { allLabs, loadLab } from '#course/labs/labs.ts';
import type { Lab } from '#course/labs/engine/lab.ts';

/** A lab by its id. */
export async function labOf(id: string): Promise<Lab> {
	const lab = await loadLab(id);
	if (lab === undefined) throw new Error(`There is no lab ${id}.`);
	return lab;
}

/** All labs, with their ids. */
export const labs: readonly (readonly [id: string, lab: Lab])[] = await Promise.all(
	allLabs.map(async ({ id }) => [id, await labOf(id)] as const)
);
