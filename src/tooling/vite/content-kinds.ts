// What the files of src/content are, by their folders. The plugin imports it as a bundle: Vite runs the plugin before it can read these modules.
import * as v from 'valibot';
import { readerOf, readFolders } from './content-reader.ts';
import type { FileMistake } from '#lib/file/read-json.ts';
import { exerciseFile, type ExerciseFile, exerciseSummaryParts } from '#course/write/exercise-file.ts';
import type { ExerciseCode } from '#course/write/exercise.ts';
import { changed, occursOnce } from '#course/write/program-changes.ts';
import { sharedConditions } from '#course/write/shared/conditions.ts';
import { codeMistakes, isObject, type Kind, nameMistakes, withShared } from './content-kind.ts';
import { labFile, labSummaryParts } from '#course/labs/engine/lab-file.ts';
import type { LabCode } from '#course/labs/engine/lab.ts';
import { sharedDefenses } from '#course/labs/shared/defenses.ts';
import { sharedMoves } from '#course/labs/shared/moves.ts';
import type { InferOutput } from 'valibot';
import { checkRows } from '#api/check-table/check-table.ts';
import { codeIn, type CodeModule } from '#course/lessons/code-parts.ts';
import { referenceMistakes } from '#evidence/lesson-file/check-lesson-file.ts';
import { lessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import { placeholders, textsOf, unknownPlaceholder, withNumbers } from '#evidence/lesson-file/numbers.ts';
import { productLesson, type ProductLesson, summaryParts } from '#evidence/lesson-file/product-lesson.ts';
import { wholeDialect } from '#api/providers/dialect-schema.ts';
import { providerFile, type ProviderFile } from '#api/providers/provider-file.ts';
import { covers, factsOf, providerMistakes } from '#api/providers/provider-mistakes.ts';
import { harOf } from '#evidence/har/providers/provider-har.ts';

const exerciseModules = import.meta.glob<ExerciseCode>('../../course/write/exercises/*.ts', {
	eager: true,
	import: 'code'
});
const exerciseCodes = new Map(
	Object.entries(exerciseModules).map(([path, code]) => [path.replace(/^.*\/|\.ts$/g, ''), code])
);

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
		const code = exerciseCodes.get(id);
		const mistakes: FileMistake[] = [
			...codeMistakes(id, source, 'src/course/write/exercises', [...exerciseCodes.keys()])
		];
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

const labModules = import.meta.glob<LabCode>('../../course/labs/labs/*.ts', { eager: true, import: 'code' });
const labCodes = new Map(Object.entries(labModules).map(([path, code]) => [path.replace(/^.*\/|\.ts$/g, ''), code]));

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
		const code = labCodes.get(id);
		const mistakes = codeMistakes(id, source, 'src/course/labs/labs', [...labCodes.keys()]);
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

/** The lessons of the product. */
export const lessonKind: Kind<ProductLesson> = {
	schema: productLesson,
	about: summaryParts,
	apart: ['notes', 'review'],
	derived: (content) => (isFile(content) ? { isFile: true } : {}),
	check: (content) => [...referenceMistakes(content), ...scriptMistakes(content), ...placeholderMistakes(content)],
	finish: withNumbers
};

/** What a lesson of the product has, and no lesson file. */
const place = new Set(Object.keys(productLesson.entries).filter((name) => !(name in lessonFile.entries)));

/** Whether a lesson file can say what a lesson of the product does. */
function isFile(lesson: ProductLesson): boolean {
	const parts = Object.entries(lesson).filter(([name]) => !place.has(name));
	return v.is(lessonFile, { format: 'tollgate-lesson', version: 1, id: 'lesson', ...Object.fromEntries(parts) });
}

const conditionModules = import.meta.glob<CodeModule>('../../course/lessons/conditions/*.ts', { eager: true });

/** Names of code and of checks that do not exist. */
function scriptMistakes(lesson: ProductLesson): FileMistake[] {
	const code = codeIn(lesson).flatMap(({ place, part, name }) => {
		const known = Object.entries(conditionModules).flatMap(([path, module]) =>
			Object.keys(module[part] ?? {}).map((one) => `${/([^/]+)\.ts$/.exec(path)?.[1] ?? ''}.${one}`)
		);
		return known.includes(name) ? [] : { place, reason: `Use one of ${known.join(', ')}. Found "${name}".` };
	});
	const checks = checkNames(lesson).flatMap(({ place, name }) =>
		name in checkRows ? [] : { place, reason: `Use the id of a check of src/api/check-table. Found "${name}".` }
	);
	return [...code, ...checks];
}

/** Placeholders without a value. */
function placeholderMistakes(lesson: ProductLesson): FileMistake[] {
	return textsOf(lesson).flatMap(({ place, text }) => {
		const found = unknownPlaceholder(text);
		return found === undefined
			? []
			: { place, reason: `Use a placeholder of ${placeholders.join(', ')}. Found ${found}.` };
	});
}

type Named = { readonly place: string; readonly name: string };

/** The checks that a lesson names, with their places. */
function checkNames(value: unknown, place: readonly string[] = []): Named[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
		const at = [...place, name];
		if ((name === 'checks' || name === 'passed') && Array.isArray(part))
			return part.map((id, index) => ({ place: [...at, index].join('.'), name: String(id) }));
		return checkNames(part, at);
	});
}

/** The dialects of providers. Each fact has a source, and each surprise a fact and a check. */
export const providerKind: Kind<ProviderFile> = {
	schema: providerFile,
	about: ['title', 'short', 'owner'],
	apart: [],
	derived: ({ surprises, differences = [] }) => ({ count: surprises.length + differences.length }),
	parts: (file) => ({ har: harOf(file) }),
	check: (file) => [
		...missingParts(file),
		...sourceMistakes(file),
		...countMistakes(file),
		...providerMistakes(file, checkRows)
	]
};

/** What a dialect lacks that extends no other one. */
function missingParts({ extends: from, dialect }: ProviderFile): FileMistake[] {
	if (from !== undefined) return [];
	return Object.keys(wholeDialect.entries)
		.filter((name) => !(name in dialect))
		.map((name) => ({ place: 'dialect', reason: `Add ${name}, or extends: standard. Found neither.` }));
}

/** Facts without a source, and sources of facts that are not there. */
function sourceMistakes({ dialect, sources }: ProviderFile): FileMistake[] {
	const places = factsOf(dialect);
	const shown = sources.flatMap(({ facts }) => facts);
	return [
		...places
			.filter((place) => !shown.some((fact) => covers(fact, place)))
			.map((place) => ({
				place: `dialect.${place}`,
				reason: 'Name a source that shows it, in the facts of one of sources. Found none.'
			})),
		...sources.flatMap(({ facts }, at) =>
			facts.flatMap((fact, index) =>
				places.some((place) => covers(fact, place) || covers(place, fact))
					? []
					: { place: `sources.${at}.facts.${index}`, reason: `Use a place in dialect. Found "${fact}".` }
			)
		)
	];
}

function countMistakes({ surprises, extends: from }: ProviderFile): FileMistake[] {
	if (from === undefined || surprises.length >= 4) return [];
	return [{ place: 'surprises', reason: `Describe at least four. Found ${surprises.length}.` }];
}

/** Reads a lesson, a lab, an exercise or a provider. */
export const readContent = readFolders({
	lessons: readerOf(lessonKind),
	labs: readerOf(labKind),
	exercises: readerOf(exerciseKind),
	providers: readerOf(providerKind)
});
