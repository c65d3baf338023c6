import { sanitizeText } from '#lib/plain-text.ts';

/** The most of each. `list`: records of one kind and account. `body`: bytes of a write. `page`: records of a page. */
export const kindLimits = {
	kinds: 8,
	fields: 16,
	values: 20,
	text: 200,
	records: 500,
	list: 200,
	body: 8192,
	page: 100
};

export const fieldTypes = ['text', 'integer', 'number', 'boolean', 'date'] as const;

type FieldType = (typeof fieldTypes)[number];

/** A value of a record. A date is a text: `2026-03-31`. */
export type RecordValue = string | number | boolean;
export type RecordFields = Readonly<Record<string, RecordValue>>;

/** Whether a value can be that of a field. */
export function isRecordValue(value: unknown): value is RecordValue {
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** The scope that reads records of a kind, or writes them. */
export function scopeOf(kind: string, action: 'read' | 'write'): string {
	return `${kind}_${action}`;
}

/** What the rate limit of a kind applies to, in rate limit records. */
export function patternOfKind(kind: string): string {
	return `/ws/v2.0/${kind}/*`;
}

/** Why a value does not fit a field, as a sentence without its name. Undefined if it fits. */
export function valueMistake(
	{ type, values }: { readonly type: FieldType; readonly values?: readonly string[] },
	value: unknown
): string | undefined {
	const isRight = {
		text: () => typeof value === 'string' && sanitizeText(value, kindLimits.text) === value,
		integer: () => Number.isSafeInteger(value),
		number: () => typeof value === 'number' && Number.isFinite(value),
		boolean: () => typeof value === 'boolean',
		date: () => typeof value === 'string' && isDate(value)
	}[type]();
	if (!isRight) return `Use ${typeTexts[type]}.`;
	return values === undefined || values.some((one) => one === value) ? undefined : `Use one of ${values.join(', ')}.`;
}

/** The value of a field in a query or a form. Undefined where the text is none. */
export function valueOfText({ type }: { readonly type: FieldType }, text: string): RecordValue | undefined {
	if (type === 'text' || type === 'date') return text;
	if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
	return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}

const typeTexts: Readonly<Record<FieldType, string>> = {
	text: `one line of text with at most ${kindLimits.text} characters`,
	integer: 'a whole number',
	number: 'a number',
	boolean: 'true or false',
	date: 'a date such as 2026-03-31'
};

function isDate(text: string): boolean {
	const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
	return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
