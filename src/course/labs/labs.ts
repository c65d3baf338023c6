import { listed } from '../frame/listed.ts';
import type { LabContent, LabNotes, LabSummary } from './engine/lab-file.ts';
import type { Lab } from './engine/lab.ts';

/** A lab in the list. Its id is the name of its file in `src/content/labs`. */
export type ListedLab = LabSummary & { readonly id: string };

const contents = import.meta.glob<LabContent>('../../content/labs/*.yaml', { import: 'default' });
/** Apart from the rest: only instructors read them. */
const notes = import.meta.glob<LabNotes>('../../content/labs/*.yaml', { import: 'default', query: '?notes' });

/** All labs, in their order. */
export const allLabs: readonly ListedLab[] = listed(
	import.meta.glob<LabSummary>('../../content/labs/*.yaml', { eager: true, import: 'default', query: '?about' })
);

const fileOf = (id: string) => `../../content/labs/${id}.yaml`;

/** Loads a lab. Undefined: there is none of this id. */
export async function loadLab(id: string): Promise<Lab | undefined> {
	const [content, { compileLab }] = await Promise.all([contents[fileOf(id)]?.(), import('./engine/compile-lab.ts')]);
	return content && compileLab(id, content);
}

/** Loads the notes of a lab for instructors. */
export const loadLabNotes = async (id: string): Promise<LabNotes> => (await notes[fileOf(id)]?.()) ?? [];
