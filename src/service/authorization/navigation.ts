import { isPrefetch } from '../checks/link-preview.ts';
import { prefersJson } from '../core/negotiation.ts';
import type { AuthorizationContext } from './consent.ts';

/** Whether a user navigates: no prefetch, no image and no script. Only then a code is issued without a click. */
export function isNavigation(context: AuthorizationContext): boolean {
	if (prefersJson(context.header('accept'))) return false;
	if (isPrefetch(context)) return false;
	if (context.header('sec-fetch-site') === undefined) return true;
	return (
		(context.header('sec-fetch-mode') ?? 'navigate') === 'navigate' &&
		(context.header('sec-fetch-dest') ?? 'document') === 'document'
	);
}
