import type { TrafficEntry } from '#api/control/traffic.ts';

/** A passed request of an unknown client, with some parts changed. Its request id is `id-<seq>`. */
export function timelineEntry(seq: number, part: Partial<TrafficEntry> = {}): TrafficEntry {
	return {
		seq,
		id: `id-${seq}`,
		at: seq * 1000,
		duration: 1,
		endpoint: 'character',
		address: '192.0.2.1',
		request: { method: 'GET', target: '/ws/v2.0/character/Mara%20Vell', headers: [], body: '' },
		response: { status: 200, headers: [], body: '{}' },
		trace: [],
		values: [],
		references: [],
		credentials: [],
		...part
	};
}

/** A trace that ends with a failed check. */
export function failedAt(id: string): TrafficEntry['trace'] {
	return [{ id, name: id, section: '', outcome: 'failed', detail: '', duration_us: 1 }];
}
