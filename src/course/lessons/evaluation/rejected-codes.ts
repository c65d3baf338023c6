import type { TrafficEntry } from '#api/control/traffic.ts';
import type { SharedEvent } from '#client/storage/tab-state.svelte.ts';
import type { EnteredValue } from './condition.ts';

/** The field of what our own client reports: the code of an authorization response that it rejected, as the log shortens it. */
export const rejectedField = 'rejected_code';

/** The codes that our own clients in this browser rejected because of their state. The service does not see that. */
export const rejectedCodes = (events: readonly SharedEvent[]): readonly string[] =>
	events.flatMap(({ type, fields, previews = [] }) =>
		type === 'callback_rejected' && fields.some(([name, value]) => name === 'reason' && value.startsWith('state_'))
			? previews
			: []
	);

/** Whether an exchange redirected a browser to a client with a code: a link was opened. */
export const openedLink = ({ endpoint, request, response }: TrafficEntry): boolean =>
	endpoint === 'control' && /\/control\/authorization-response(\?|$)/.test(request.target) && response?.status === 303;

/** Whether a client of this browser rejected the code of a link that was opened. */
export const isLinkRejected = (entry: TrafficEntry, entered: readonly EnteredValue[]): boolean =>
	openedLink(entry) &&
	entered.some(({ field, value }) => field === rejectedField && entry.values.some(({ preview }) => preview === value));
