import type { CheckTitle } from './check-table/check-record.ts';
import type { checkRows, sharedCauses } from './check-table/check-table.ts';

type Rows = typeof checkRows;

export type CheckId = keyof Rows;

const files = import.meta.glob<Readonly<Record<CheckId, CheckTitle>>>('../content/checks/*.yaml', {
	eager: true,
	import: 'default',
	query: '?about'
});

/** The titles and sections of all checks, by their ids. */
export const checks: Readonly<Record<CheckId, CheckTitle>> = Object.values(files).reduce((all, records) => ({
	...all,
	...records
}));

/** Checks that can respond to a request, and so have an outcome for it. */
export type RespondingCheckId = {
	[Id in CheckId]: Rows[Id] extends { readonly responds: true | 'error' } ? Id : never;
}[CheckId];

/** Why a check failed, by the id of the check. `never` for a check with one cause. */
export type CauseOf<Id extends CheckId> = Rows[Id] extends { readonly causes: readonly (infer Causes)[] }
	? Extract<Causes, string>
	: never;

export type SharedCause = (typeof sharedCauses)[number];

/** Why a check failed: stable, for programs and for explanations. */
export type Cause = { [Id in CheckId]: CauseOf<Id> }[CheckId] | SharedCause;

/** A change of the request builder, by the check that it belongs to. */
export type MistakeId = {
	[Id in CheckId]: Rows[Id] extends { readonly mistakes: readonly (infer Mistakes)[] }
		? Extract<Mistakes, string>
		: never;
}[CheckId];
