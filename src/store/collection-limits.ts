import type { CollectionOptions, Expiring, NumberField, TextField } from './store.ts';

/** The most that one sandbox holds of a kind. */
export function maxIn(
	{ maxPerSandbox, maxFor }: Pick<CollectionOptions<object>, 'maxPerSandbox' | 'maxFor'>,
	sandbox: string
): number {
	return maxFor !== undefined && Object.hasOwn(maxFor, sandbox) ? (maxFor[sandbox] ?? maxPerSandbox) : maxPerSandbox;
}

/** What a record counts against the limit of its kind. */
export function weightOf<Entry extends Expiring>(options: CollectionOptions<Entry>, record: Entry): number {
	return options.weightField === undefined ? 1 : numberIn(record, options.weightField);
}

/** The owner of records without one. */
export const noOwner = '';

/** Who a record belongs to. */
export function ownerOf<Entry extends Expiring>({ owner }: CollectionOptions<Entry>, record: Entry): string {
	return owner === undefined ? noOwner : (textIn(record, owner) ?? noOwner);
}

/** The group that a record counts against; undefined where none is limited. */
export function groupOf<Entry extends Expiring>(
	{ maxPerGroup }: CollectionOptions<Entry>,
	record: Entry
): string | undefined {
	return maxPerGroup && textIn(record, maxPerGroup.field);
}

/** Whether a record is protected from eviction. */
export function isProtected<Entry extends Expiring>({ protect }: CollectionOptions<Entry>, record: Entry): boolean {
	if (protect === undefined) return false;
	if (protect === 'all') return true;
	if (protect === 'without_expiry') return record.expires === undefined;
	return protect.some(({ field, min }) => numberIn(record, field) >= min);
}

function textIn<Entry extends Expiring>(record: Entry, field: TextField<Entry>): string | undefined {
	const value: unknown = record[field];
	return typeof value === 'string' ? value : undefined;
}

function numberIn<Entry extends Expiring>(record: Entry, field: NumberField<Entry>): number {
	const value: unknown = record[field];
	return typeof value === 'number' ? value : 0;
}
