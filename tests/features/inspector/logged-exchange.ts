import type { TrafficEntry } from '#api/control/traffic.ts';
import { upgradeTrafficEntry } from '#api/earlier-traffic-entry.ts';

/** A logged code exchange, with other values where a test needs them. Markers in its texts become references. */
export function logged(more: Partial<TrafficEntry> = {}): TrafficEntry {
	return upgradeTrafficEntry({
		seq: 1,
		id: 'request-1',
		at: 1_795_000_000_000,
		duration: 1,
		endpoint: 'token',
		address: '203.0.113.7',
		client_id: 'character-viewer',
		request: {
			method: 'POST',
			target: '/ws/oauth2/token/',
			headers: [
				['Host', 'tollgate.test'],
				['Content-Type', 'application/x-www-form-urlencoded']
			],
			body: 'grant_type=authorization_code&client_id=character-viewer&client_secret=‹client secret 1›&code=‹code 3 GQVJab…›&redirect_uri=https%3A%2F%2Fclient.example%2Fcb'
		},
		response: { status: 200, headers: [['Content-Type', 'application/json; charset=utf-8']], body: '{}' },
		trace: [],
		values: [
			{ label: 'client secret 1', preview: '', id: 'digest of the secret' },
			{ label: 'code 3', preview: 'GQVJab…', id: 'digest of the code' }
		],
		credentials: [],
		...more
	});
}

/** The same, with another body. */
export function withBody(body: string, more: Partial<TrafficEntry> = {}): TrafficEntry {
	return logged({ ...more, request: { ...logged().request, body } });
}
