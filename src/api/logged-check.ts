import { recordsIn } from '#lib/records-in.ts';
import type { CheckOutcomes, CheckTitle } from './check-table/check-record.ts';
import type { CheckRow } from './check-table/check-row.ts';
import { checkRows } from './check-table/check-table.ts';
import { checks } from './checks.ts';

/** Of the checks, and of the causes that any check can have. */
const outcomes = recordsIn(
	import.meta.glob<Readonly<Record<string, CheckOutcomes>>>('../content/checks/*.yaml', {
		eager: true,
		import: 'default',
		query: '?outcomes'
	})
);

/** What a page knows of a check: what it reads, its title, and the outcomes of requests in words. */
export type LoggedCheck = CheckTitle &
	CheckOutcomes & {
		readonly reads?: readonly string[];
		readonly setBy?: string;
	};

const parts: Readonly<Record<string, CheckRow>> = checkRows;
const rows = new Map(
	Object.entries<CheckTitle>(checks).map(([id, title]): [string, LoggedCheck] => {
		const { reads, setBy } = parts[id] ?? {};
		return [id, { ...title, ...outcomes[id], ...(reads && { reads }), ...(setBy && { setBy }) }];
	})
);

/** The check of an id that comes from a log; undefined for a check of another version. */
export function findCheck(id: string): LoggedCheck | undefined {
	return rows.get(id);
}

/** The outcome of a failed check in words: of its cause, of a cause that any check can have, or of the check. */
export function failureWords(id: string, cause = ''): string | undefined {
	const found = rows.get(id);
	return found?.causes?.[cause]?.failed ?? outcomes[cause]?.failed ?? found?.failed;
}
