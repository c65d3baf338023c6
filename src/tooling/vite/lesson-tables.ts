import { lessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import { shown } from '#evidence/lesson-file/lesson-file.ts';
import { tool } from '#evidence/lesson-file/tools.ts';
import { partOf, type FormField, type Part } from '#course/lessons/file/form-part.ts';
import { table } from './error-tables.ts';

/** The conditions of lesson files as a table in Markdown. */
export function conditionTable(): string {
	return kindTable('Shown by', partOf(shown));
}

/** The tools of lesson files as a table in Markdown. */
export function toolTable(): string {
	return kindTable('What it does', partOf(tool));
}

/** The parts of a lesson file as a table in Markdown. */
export function lessonPartTable(): string {
	const part = partOf(lessonFile);
	const fields = part.kind === 'object' ? part.fields.filter(({ hint }) => hint !== undefined) : [];
	return table(
		['Part', 'Meaning', 'Fields'],
		fields.map((field) => [nameOf(field), field.hint ?? '', fieldsOf(field.part).map(nameOf).join(', ')])
	);
}

/** The fields of an object, or of each in a list. */
function fieldsOf(part: Part): readonly FormField[] {
	if (part.kind === 'list') return fieldsOf(part.item);
	return part.kind === 'object' ? part.fields : [];
}

function kindTable(what: string, part: Part): string {
	const options = part.kind === 'variant' ? part.options : [];
	return table(
		['`kind`', what, 'Parameters'],
		options.map(({ kind, hint = '', fields }) => {
			const parameters = fields.filter(({ name }) => name !== 'same');
			return [`\`${kind}\``, hint, parameters.map(withValues).join(', ')];
		})
	);
}

const nameOf = ({ name, isOptional }: FormField) => `\`${name}\`${isOptional ? '' : ' (required)'}`;

/** A parameter, with its values if they are few. */
function withValues(field: FormField): string {
	const { part } = field;
	const isShort = part.kind === 'choice' && part.options.length <= 6;
	return nameOf(field) + (isShort ? `: ${part.options.map((value) => `\`${value}\``).join(' or ')}` : '');
}
