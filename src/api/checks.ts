import { agentChecks } from './check-table/agent.ts';
import { authorizationChecks } from './check-table/authorization.ts';
import { clientAssertionChecks } from './check-table/client-assertion.ts';
import { clientDocumentChecks } from './check-table/client-document.ts';
import { deviceChecks } from './check-table/device.ts';
import { dpopChecks } from './check-table/dpop.ts';
import { logoutChecks } from './check-table/logout.ts';
import { metadataChecks } from './check-table/metadata.ts';
import { pushedChecks } from './check-table/pushed.ts';
import type { StandardRow } from './check-table/check-row.ts';
import { generalChecks } from './check-table/general.ts';
import { tokenExchangeChecks } from './check-table/token-exchange.ts';
import { resourceChecks } from './check-table/resource.ts';
import { tokenChecks } from './check-table/token.ts';

export type { StandardRow };

/** Every check of the service by its id, `<endpoint or area>.<snake_case>`. Ids and causes are stable, programs refer to them. */
export const checks = {
	...generalChecks,
	...authorizationChecks,
	...logoutChecks,
	...tokenChecks,
	...metadataChecks,
	...deviceChecks,
	...dpopChecks,
	...tokenExchangeChecks,
	...clientDocumentChecks,
	...pushedChecks,
	...clientAssertionChecks,
	...resourceChecks,
	...agentChecks
} as const;

/** The causes that several checks have, each with one meaning, and their outcomes. */
export const sharedCauses = {
	body_too_large: 'body is too large',
	internal_error: 'internal error',
	other_site: 'request from another site',
	sandbox_full: 'sandbox is full',
	store_unavailable: 'storage is unavailable',
	too_many_attempts: 'too many attempts'
} as const;

type Checks = typeof checks;

export type CheckId = keyof Checks;

/** Checks that can respond to a request, and so have an outcome for it. */
export type RespondingCheckId = {
	[Id in CheckId]: Checks[Id] extends { readonly responds: string } ? Id : never;
}[CheckId];

/** Why a check failed, by the id of the check. `never` for a check with one cause. */
export type CauseOf<Id extends CheckId> = Checks[Id] extends { readonly causes: infer Causes }
	? Extract<keyof Causes, string>
	: never;

export type SharedCause = keyof typeof sharedCauses;

/** Why a check failed: stable, for programs and for explanations. */
export type Cause = { [Id in CheckId]: CauseOf<Id> }[CheckId] | SharedCause;

/**
 * A row of the table, for an id that comes from a log. It accepts any name of a part, so that the compiler reports a wrong one at
 * its row.
 */
export type LoggedCheck = {
	readonly title: string;
	readonly section: string;
	readonly standard?: StandardRow | 'same';
	readonly reads?: readonly string[];
	readonly setBy?: string;
	readonly responds?: string;
	readonly failed?: string;
	readonly causes?: Readonly<Record<string, string>>;
};

const rows: ReadonlyMap<string, LoggedCheck> = new Map<string, LoggedCheck>(Object.entries(checks));

/** The row of a check; undefined for a check of another version. */
export function findCheck(id: string): LoggedCheck | undefined {
	return rows.get(id);
}
