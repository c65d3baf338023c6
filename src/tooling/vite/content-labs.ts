import type { FileMistake } from '#lib/file/read-json.ts';
import { labFile, labSummaryParts } from '#course/labs/engine/lab-file.ts';
import type { LabCode } from '#course/labs/engine/lab.ts';
import { sharedDefenses } from '#course/labs/shared/defenses.ts';
import { sharedMoves } from '#course/labs/shared/moves.ts';
import type { InferOutput } from 'valibot';
import { codeMistakes, nameMistakes, withShared, type Kind } from './content-kind.ts';

const modules = import.meta.glob<LabCode>('../../course/labs/labs/*.ts', { eager: true, import: 'code' });
const codes = new Map(Object.entries(modules).map(([path, code]) => [path.replace(/^.*\/|\.ts$/g, ''), code]));

type LabFile = InferOutput<typeof labFile>;

/** The labs. */
export const labKind: Kind<LabFile> = {
	schema: labFile,
	about: labSummaryParts,
	apart: ['notes'],
	complete: (content, _, source) =>
		withShared(content, source, {
			tools: { group: 'tools', key: 'kind' },
			subject: { group: 'subjects' },
			steps: { group: 'moves', key: 'id' },
			detours: { group: 'moves', key: 'id' },
			nearMisses: { group: 'nearMisses' },
			wrongDefenses: { group: 'defenses', key: 'use' }
		}),
	check(lab, id, source) {
		const code = codes.get(id);
		const mistakes = codeMistakes(id, source, 'src/course/labs/labs', [...codes.keys()]);
		return code === undefined ? mistakes : [...mistakes, ...mistakesWith(code, lab)];
	}
};

/** Where a lab and its code name different parts. */
function mistakesWith(code: LabCode, lab: LabFile): readonly FileMistake[] {
	const { steps, detours, nearMisses, willBeChecked, wrongDefenses, subject } = lab;
	const moves = [
		...steps.map(({ id }, at) => ({ id, place: `steps.${at}`, part: 'isDone' as const })),
		...detours.map(({ id }, at) => ({ id, place: `detours.${at}`, part: 'act' as const }))
	];
	const { right: _, ...own } = code.defenses;
	return [
		...moves.flatMap(({ id, place, part }) =>
			(code.moves?.[id]?.[part] ?? sharedMoves[id]?.[part]) === undefined
				? { place: `${place}.id`, reason: `Use a move whose code has ${part}. Found "${id}".` }
				: []
		),
		...Object.keys(code.moves ?? {})
			.filter((id) => !moves.some((move) => move.id === id))
			.map((id) => ({
				place: 'steps',
				reason: `Its code has the move "${id}". Found ${moves.map((one) => one.id).join(', ')}.`
			})),
		...nameMistakes('nearMisses', Object.keys(nearMisses), Object.keys(code.misses)),
		...Object.entries(nearMisses).flatMap(([name, { text }]) =>
			caseMistakes(`nearMisses.${name}.text`, text, code.misses[name]?.cases)
		),
		...caseMistakes('willBeChecked', willBeChecked, code.checked),
		...Object.entries(wrongDefenses).flatMap(([name, { use }]) =>
			name in own || (use !== undefined && use in sharedDefenses)
				? []
				: { place: `wrongDefenses.${name}`, reason: `Its code has no world for it. Found ${use ?? 'nothing'}.` }
		),
		...nameMistakes('subject.words', Object.keys(subject?.words ?? {}), code.subject?.words ?? [])
	];
}

/** Where the cases of a text are not those of its code. */
function caseMistakes(place: string, text: string | object | undefined, cases: object | undefined): FileMistake[] {
	const names = typeof text === 'object' ? Object.keys(text) : [];
	return nameMistakes(place, names, cases === undefined ? [] : [...Object.keys(cases), 'otherwise']);
}
