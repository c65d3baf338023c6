import type { Sandbox as SandboxView } from '#api/control/sandboxes.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** A sandbox as its owner sees it. */
export function viewOf(sandbox: Sandbox): SandboxView {
	const { id, base_url, state, trafficLimits } = sandbox;
	return {
		id,
		...nameOf(sandbox),
		base_url,
		created_at: state.createdAt,
		clock: { now: sandbox.now(), offset: state.offset },
		settings: state.settings,
		traffic_entries: trafficLimits.entries
	};
}

/** The name of a sandbox as a field. No field if it has none. */
export function nameOf({ state: { name } }: Sandbox): { readonly name?: string } {
	return name === undefined ? {} : { name };
}
