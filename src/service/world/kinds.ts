import { scopeOf, valueMistake } from '#api/world/record-values.ts';
import type { WorldFile } from '#api/world/world-file.ts';
import type { RecordList } from '../sandbox/records.ts';
import type { Kind, World } from './world.ts';
import type { WorldMistakes } from './world-mistakes.ts';

type WrittenKinds = NonNullable<WorldFile['kinds']>;

/** The limit of a resource that states none (specification, section 8.1). */
const defaultLimit = 600;

/** The key of the records of a kind that belong to an account. */
export function listKey({ kind, owner }: Pick<RecordList, 'kind' | 'owner'>): string {
	return `${kind} ${owner}`;
}

/** The kinds of a file, with their defaults, and their records by account. */
export function completeKinds(
	written: WrittenKinds,
	permissions: readonly { readonly scope: string }[]
): Pick<World, 'kinds' | 'lists'> {
	const kinds = written.map(({ limit = defaultLimit, cost, records: _, ...kind }): Kind => {
		const isWritable = permissions.some(({ scope }) => scope === scopeOf(kind.name, 'write'));
		return { ...kind, limit, cost: { list: 1, item: 1, write: 1, ...cost }, isWritable };
	});
	const lists = written.flatMap(({ name: kind, records = [] }) =>
		[...new Set(records.map(({ owner }) => owner))].map((owner): RecordList => {
			const items = records.flatMap(({ id, owner: of, fields }) => (of === owner ? [{ id, fields }] : []));
			return { kind, owner, size: items.length, items };
		})
	);
	return { kinds, lists };
}

/** Checks what the schema of kinds cannot: names, permissions, accounts, and values of fields. */
export function checkKinds(
	{ kinds = [] }: WorldFile,
	{ permissions, accounts, resource, lists }: World,
	mistakes: WorldMistakes
): void {
	const scopes = permissions.map(({ scope }) => scope);
	const usernames = accounts.map(({ username }) => username);
	kinds.forEach(({ name, fields, records = [] }, at) => {
		const place = `kinds.${at}`;
		if (kinds.findIndex((kind) => kind.name === name) < at || name === resource.path)
			mistakes.add(`${place}.name`, `"${name}" occurs twice, or is the path of the resource. Rename one.`);
		if (!scopes.includes(scopeOf(name, 'read')))
			mistakes.add(
				`${place}.name`,
				`There is no permission "${scopeOf(name, 'read')}". Add it to permissions. Writes need "${scopeOf(name, 'write')}".`
			);
		for (const [field, { type, values, default: initial }] of Object.entries(fields)) {
			if (values !== undefined && type !== 'text')
				mistakes.add(`${place}.fields.${field}.values`, 'Only a text can have a list of values.');
			const wrong = initial === undefined ? undefined : valueMistake({ type, ...(values && { values }) }, initial);
			if (wrong !== undefined) mistakes.add(`${place}.fields.${field}.default`, wrong);
		}
		const ids = new Set<string>();
		records.forEach(({ id, owner, fields: sent }, index) => {
			const item = `${place}.records.${index}`;
			if (ids.has(id)) mistakes.add(`${item}.id`, `"${id}" occurs twice. Rename one.`);
			ids.add(id);
			if (!usernames.includes(owner))
				mistakes.add(`${item}.owner`, `There is no account "${owner}". Add it to accounts, or name another one.`);
			for (const [field, value] of Object.entries(sent)) {
				const declared = fields[field];
				const wrong = declared
					? valueMistake(declared, value)
					: 'The kind has no such field. Remove it, or declare it.';
				if (wrong !== undefined) mistakes.add(`${item}.fields.${field}`, wrong);
			}
		});
	});
	const count = lists.reduce((sum, { size }) => sum + size, 0);
	if (count > maxRecords) mistakes.add('kinds', `There are ${count} records. Use at most ${maxRecords} in all kinds.`);
}

/** Records of all kinds. As many more fit into a sandbox. */
const maxRecords = 500;
