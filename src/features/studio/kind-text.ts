import { fieldTypes, isRecordValue, valueOfText } from '#api/world/record-values.ts';
import { isObject, parseJson } from '#client/rate-limit/json-value.ts';
import { partAt } from './file-parts.ts';

/** What a line of a form cannot contain as a value: it is written as JSON then. */
const marks = /[,|\n]/;

/** The fields of a kind as text for a form, one per line: `amount: number, required`. Anything else has none. */
export function kindFieldsText(fields: unknown): string {
	if (typeof fields !== 'object' || fields === null) return '';
	return Object.entries(fields)
		.map(([name, field]: [string, unknown]) => `${name}: ${fieldText(field)}`)
		.join('\n');
}

/** The fields that `kindFieldsText` wrote, or a user. */
export function readKindFields(text: string): Record<string, unknown> {
	const lines = text.split('\n').filter((line) => line.trim() !== '');
	return Object.fromEntries(
		lines.map((line): [string, unknown] => {
			const [name = '', ...rest] = line.split(':');
			return [name.trim(), readField(rest.join(':').trim())];
		})
	);
}

/** The records of a kind as text for a form, one per line: `pay-1 | anna | Rent | 880`. @param fields of the kind, in their order */
export function recordsText(records: unknown, fields: unknown): string {
	if (!Array.isArray(records)) return '';
	const names = namesOf(fields);
	return records
		.map((record: unknown) => {
			const cells = [
				...['id', 'owner'].map((name) => partAt(record, [name])),
				...names.map((name) => partAt(record, ['fields', name]))
			].map((value) => (isRecordValue(value) ? String(value) : ''));
			return cells.some((cell) => cell.includes('|')) ? JSON.stringify(record) : cells.join(' | ');
		})
		.join('\n');
}

/** The records that `recordsText` wrote, or a user. An empty cell is no value. */
export function readRecords(text: string, fields: unknown): unknown[] {
	const lines = text.split('\n').filter((line) => line.trim() !== '');
	return lines.map((line) => {
		if (line.startsWith('{')) return parseJson(line) ?? line;
		const [id = '', owner = '', ...cells] = line.split('|').map((cell) => cell.trim());
		const values = namesOf(fields).flatMap((name, at): [string, unknown][] => {
			const cell = cells[at] ?? '';
			const type = fieldTypes.find((one) => one === partAt(fields, [name, 'type']));
			return cell === '' ? [] : [[name, (type && valueOfText({ type }, cell)) ?? cell]];
		});
		return { id, owner, fields: Object.fromEntries(values) };
	});
}

function namesOf(fields: unknown): string[] {
	return typeof fields === 'object' && fields !== null ? Object.keys(fields) : [];
}

function fieldText(field: unknown): string {
	const text = (name: string) => {
		const value = partAt(field, [name]);
		return isRecordValue(value) ? String(value) : '';
	};
	const values = partAt(field, ['values']);
	const listed: unknown[] = Array.isArray(values) ? values : [];
	const initial = partAt(field, ['default']);
	const hasMark = [text('label'), text('default'), ...listed].some((one) => typeof one !== 'string' || marks.test(one));
	if (hasMark) return JSON.stringify(field);
	return [
		text('type'),
		partAt(field, ['required']) === true ? ['required'] : [],
		partAt(field, ['read_only']) === true ? ['read-only'] : [],
		listed.length > 0 ? [`one of ${listed.join('|')}`] : [],
		initial === undefined ? [] : [`default ${text('default')}`],
		text('label') === '' ? [] : [`label ${text('label')}`]
	]
		.flat()
		.join(', ');
}

/** A part that is no part of a field stays as a name, so that the schema says what is wrong. */
function readField(text: string): unknown {
	const json = text.startsWith('{') ? parseJson(text) : undefined;
	if (isObject(json)) return json;
	const [type = '', ...parts] = text.split(',').map((part) => part.trim());
	const known = fieldTypes.find((one) => one === type);
	const field = parts
		.filter((part) => part !== '')
		.map((part): [string, unknown] => {
			const [word = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(part)?.slice(1) ?? [];
			if (word === 'one') return ['values', rest.replace(/^of\s+/, '').split('|')];
			if (word === 'default') return ['default', (known && valueOfText({ type: known }, rest)) ?? rest];
			if (word === 'label') return ['label', rest];
			return [word === 'read-only' ? 'read_only' : word, true];
		});
	return { type, ...Object.fromEntries(field) };
}
