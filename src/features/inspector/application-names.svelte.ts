import { untrack } from 'svelte';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { Query } from '#client/control-api/query.svelte.ts';
import type { Inspector } from './inspector.svelte.ts';

/**
 * Gives an inspector the names of the applications in its log. Reads them again after a request of an unknown one. Call while a
 * component is created.
 */
export function followApplicationNames(inspector: Inspector, api: ControlApi): void {
	const query = new Query((signal) => api.request('GET /control/applications', { signal }));
	const asked = new Set<string>();

	$effect(() => {
		const client_id = inspector.entries.findLast((entry) => entry.client_id !== undefined)?.client_id;
		if (client_id === undefined || untrack(() => inspector.applications.has(client_id)) || asked.has(client_id)) return;
		asked.add(client_id);
		query.refreshSoon();
	});
	$effect(() => {
		const { data } = query;
		if (data !== undefined)
			inspector.applications = new Map(data.applications.map(({ client_id, name }) => [client_id, name]));
	});
}
