import type { Sandbox as SandboxView } from '#api/control/sandboxes.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** A sandbox as its owner sees it. */
export function viewOf(sandbox: Sandbox): SandboxView {
	const { id, base_url, state, trafficLimits } = sandbox;
	return {
		id,
		name: state.name,
		base_url,
		created_at: state.createdAt,
		clock: { now: sandbox.now(), offset: state.offset },
		settings: state.settings,
		traffic_entries: trafficLimits.entries
	};
}
