import { isPrefetch } from '../checks/link-preview.ts';
import { prefersJson } from '../negotiation.ts';
import type { AuthorizationContext } from './authorization-context.ts';

/** Whether a code may be issued without a further click: not for a prefetch, an image or a script's request. */
export function isNavigation(context: AuthorizationContext): boolean {
	if (prefersJson(context.header('accept'))) return false;
	if (isPrefetch(context)) return false;
	if (context.header('sec-fetch-site') === undefined) return true;
	return (
		(context.header('sec-fetch-mode') ?? 'navigate') === 'navigate' &&
		(context.header('sec-fetch-dest') ?? 'document') === 'document'
	);
}
