import type { LoggedCheck } from './check-table/check-record.ts';

const files = import.meta.glob<Readonly<Record<string, LoggedCheck>>>('../content/checks/*.yaml', {
	eager: true,
	import: 'default',
	query: '?logged'
});
/** The checks, and the causes that any check can have. A log can name anything. */
const logged = new Map(Object.values(files).flatMap((records) => Object.entries(records)));

/** The check of an id that comes from a log; undefined for a check of another version. */
export function findCheck(id: string): LoggedCheck | undefined {
	return logged.get(id);
}

/** The outcome of a failed check in words: of its cause, of a cause that any check can have, or of the check. */
export function failureWords(id: string, cause = ''): string | undefined {
	const found = logged.get(id);
	return found?.causes?.[cause]?.failed ?? logged.get(cause)?.failed ?? found?.failed;
}
