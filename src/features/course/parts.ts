import { loadLab } from '../labs/all-labs.ts';
import { loadExercise } from '../write/all-exercises.ts';
import { nameOf } from './course-progress.ts';

/** What is to be shown in an exercise or a lab, in the order in which a seat reports it. Empty for a lesson. */
export async function partsOf(id: string): Promise<readonly string[]> {
	if (id.startsWith('write/')) {
		const { conditions } = (await loadExercise(nameOf(id))) ?? { conditions: [{ title: 'All rules pass' }] };
		return conditions.map(({ title }) => title.replaceAll('`', ''));
	}
	const lab = id.startsWith('labs/') ? await loadLab(nameOf(id)) : undefined;
	if (lab === undefined) return [];
	return [...lab.steps.map(({ title }) => `Attack: ${title.replaceAll('`', '')}`), 'Defend'];
}
