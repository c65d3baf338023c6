import type * as v from 'valibot';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { authorizationRequestOf, issued, parameter } from '#evidence/exchanges.ts';
import { leftBefore } from '#evidence/lesson-file/judge-fields.ts';
import type { comparison } from '#evidence/lesson-file/lesson-file.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { resultOf } from '../evaluation/result-text.ts';
import type { ComparedRow, ShownRun } from '../lesson.ts';

type Row = v.InferOutput<typeof comparison>['rows'][number];

/** A row of a comparison of a lesson file. */
export function comparedRow(
	{ label, part = 'result', values, yes, no }: Row,
	{ entries, shown }: ShownRun
): ComparedRow {
	const valueOf = ({ condition }: Row['values'][number]) => {
		const entry = shown(condition).at(-1);
		if (entry === undefined) return undefined;
		const value = partOf(part, entry, entries);
		return value === undefined ? no : (yes ?? value);
	};
	return [label, valueOf(values[0]), valueOf(values[1])];
}

function partOf(part: string, entry: TrafficEntry, entries: readonly TrafficEntry[]): string | number | undefined {
	const [what, name = ''] = part.split(' ');
	switch (what) {
		case 'status':
			return entry.response?.status;
		case 'address':
			return entry.address;
		case 'scope':
			return issued(entry, 'access_token')?.scopes.join(' ');
		case 'remaining':
			return rateLimitOf(entry)?.remaining;
		case 'left_before':
			return leftBefore(
				entry,
				entries.filter(({ seq }) => seq < entry.seq)
			);
		case 'asks':
			return parameter(authorizationRequestOf(entries, entry) ?? entry, name);
		case 'sends':
			return parameter(entry, name);
		case 'issues':
			return issued(entry, name === 'access_token' ? 'access_token' : 'refresh_token')?.id;
		default:
			return resultOf(entry);
	}
}
