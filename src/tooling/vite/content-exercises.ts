import type { FileMistake } from '#lib/file/read-json.ts';
import { exerciseFile, exerciseSummaryParts, type ExerciseFile } from '#course/write/exercise-file.ts';
import type { ExerciseCode } from '#course/write/exercise.ts';
import { changed, occursOnce } from '#course/write/program-changes.ts';
import { sharedConditions } from '#course/write/shared/conditions.ts';
import { codeMistakes, isObject, nameMistakes, withShared, type Kind } from './content-kind.ts';

const modules = import.meta.glob<ExerciseCode>('../../course/write/exercises/*.ts', { eager: true, import: 'code' });
const codes = new Map(Object.entries(modules).map(([path, code]) => [path.replace(/^.*\/|\.ts$/g, ''), code]));

/** The exercises. Their programs are text files, in a folder of their id. */
export const exerciseKind: Kind<ExerciseFile> = {
	schema: exerciseFile,
	about: exerciseSummaryParts,
	apart: ['nearMisses'],
	complete(content, id, source) {
		const {
			content: whole,
			mistakes,
			shared
		} = withShared(content, source, {
			conditions: { group: 'conditions', key: 'id' }
		});
		const found: FileMistake[] = [...mistakes];
		const read = (path: string, place: string) => {
			const text = source.read(path);
			if (text === undefined) found.push({ place, reason: `Add src/content/exercises/${path}. Found nothing.` });
			return text ?? '';
		};
		const { given = [], start, ...rest } = whole;
		if (!Array.isArray(given)) found.push({ place: 'given', reason: `Use a list. Found ${JSON.stringify(given)}.` });
		const names = Array.isArray(given) ? given.map(String) : [];
		const parts = names.map((name, at) => read(`given/${name}.ts.txt`, `given.${at}`));
		const program = (name: string) => [read(`${id}/${name}.ts.txt`, name), ...parts].join('\n');
		const solution = program('solution');
		const begun = start === undefined ? program('start') : withChanges(solution, start, 'start', found);
		return { content: { ...rest, start: begun, solution }, mistakes: found, shared };
	},
	check(exercise, id, source) {
		if (exercise.group === 'Exam') return [];
		const code = codes.get(id);
		const mistakes: FileMistake[] = [...codeMistakes(id, source, 'src/course/write/exercises', [...codes.keys()])];
		const { conditions, rules, solution, nearMisses } = exercise;
		const ids = conditions.map((one) => one.id);
		for (const [at, { condition, changes }] of nearMisses.entries()) {
			withChanges(solution, changes, `nearMisses.${at}.changes`, mistakes);
			const known = [...ids, 'result', ...rules];
			if (!known.includes(condition))
				mistakes.push({
					place: `nearMisses.${at}.condition`,
					reason: `Use one of ${known.join(', ')}. Found "${condition}".`
				});
		}
		for (const [at, { id: name, needs, mistakes: described = {} }] of conditions.entries()) {
			if (needs !== undefined && !ids.slice(0, at).includes(needs))
				mistakes.push({
					place: `conditions.${at}.needs`,
					reason: `Use the id of a condition before it. Found "${needs}".`
				});
			const judge = code?.conditions?.[name] ?? sharedConditions[name];
			if (judge === undefined)
				mistakes.push({
					place: `conditions.${at}.id`,
					reason: `Use a name of its code: ${Object.keys({ ...code?.conditions, ...sharedConditions }).join(', ')}. Found "${name}".`
				});
			else mistakes.push(...nameMistakes(`conditions.${at}.mistakes`, Object.keys(described), judge.mistakes));
		}
		const unused = Object.keys(code?.conditions ?? {}).filter((name) => !ids.includes(name));
		return [
			...mistakes,
			...unused.map((name) => ({
				place: 'conditions',
				reason: `Its code has "${name}". Found ${ids.join(', ')}.`
			}))
		];
	}
};

/** A program with changes. A change whose text does not occur once is a mistake. */
function withChanges(program: string, changes: unknown, place: string, mistakes: FileMistake[]): string {
	if (!Array.isArray(changes)) mistakes.push({ place, reason: 'Use a list.' });
	const list: readonly unknown[] = Array.isArray(changes) ? changes : [];
	return list.reduce<string>((text, change, at) => {
		const { from, to } = isObject(change) ? change : {};
		if (typeof from !== 'string' || typeof to !== 'string') {
			mistakes.push({ place: `${place}.${at}`, reason: 'Write from and to.' });
			return text;
		}
		if (occursOnce(text, from)) return changed(text, [from, to]);
		const count = text.split(from).length - 1;
		mistakes.push({
			place: `${place}.${at}.from`,
			reason: `Use a text that the program has once. Found it ${count} times.`
		});
		return text;
	}, program);
}
