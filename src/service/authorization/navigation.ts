import { isPrefetch } from '../checks/link-preview.ts';
import { wantsData } from '../negotiation.ts';
import type { AuthCall } from './authorization-context.ts';

/** Whether a code may be issued without a further click: not for a prefetch, an image or a script's request. */
export function isNavigation(call: AuthCall): boolean {
	if (wantsData(call.header('accept'))) return false;
	if (isPrefetch(call)) return false;
	if (call.header('sec-fetch-site') === undefined) return true;
	return (
		(call.header('sec-fetch-mode') ?? 'navigate') === 'navigate' &&
		(call.header('sec-fetch-dest') ?? 'document') === 'document'
	);
}
