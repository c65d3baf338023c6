import type { Lab, LabSummary } from './engine/lab.ts';

/** A lab in the list. */
export type ListedLab = LabSummary & {
	/** The name of its folder: `login-csrf`. */
	readonly id: string;
};

const summaries = import.meta.glob<LabSummary>('./labs/*/about.ts', { eager: true, import: 'about' });

const idOf = (file: string) => file.split('/').at(-2) ?? '';

/** All labs, in their order. */
export const allLabs: readonly ListedLab[] = Object.entries(summaries)
	.map(([file, summary]) => ({ ...summary, id: idOf(file) }))
	.sort((a, b) => a.order - b.order);

/** Loads a lab. Undefined: there is none of this id. */
export async function loadLab(id: string): Promise<Lab | undefined> {
	const { labs } = await import('./loaded-labs.ts');
	return labs[`./labs/${id}/lab.ts`];
}
