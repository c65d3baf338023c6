import { expect, it } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { whyNoSignIn } from '#exam/observe.ts';
import { failedAt, timelineEntry } from '../features/inspector/timeline-entry.ts';

const asked = timelineEntry(1, { endpoint: 'auth' });
const code: TrafficEntry['credentials'][number] = { type: 'issued', kind: 'code', id: 'c', grant: 'g', scopes: [] };
const exchange = timelineEntry(3, {
	endpoint: 'token',
	trace: failedAt('token.secret'),
	request: { method: 'POST', target: '/ws/oauth2/token/', headers: [], body: 'grant_type=authorization_code' }
});

it('says how far a sign-in came that did not work', () => {
	expect(whyNoSignIn([])).toContain('no authorization request');
	expect(whyNoSignIn([asked])).toContain('led to no code.');
	const issued = timelineEntry(2, { endpoint: 'auth', credentials: [code] });
	expect(whyNoSignIn([asked, issued])).toContain('sent no token request');
	expect(whyNoSignIn([asked, issued, exchange])).toContain(
		'refused the code exchange: check token.secret, “token.secret”, failed.'
	);
});
