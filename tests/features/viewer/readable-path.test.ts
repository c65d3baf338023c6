import { expect, test } from 'vitest';
import { readablePath } from '#features/viewer/event-log.svelte.ts';

test.each([
	['GET /ws/v2.0/character/Mara%20Vell', 'GET /ws/v2.0/character/Mara\u00a0Vell'],
	['GET /~K3Vd_x-9aQ/ws/v2.0/character/~a', 'GET /ws/v2.0/character/~a'],
	['POST /demo/~K3Vd_x-9aQ/ws/oauth2/token/', 'POST /demo/ws/oauth2/token/'],
	['GET /ws/v2.0/character/Zo%C3%AB', 'GET /ws/v2.0/character/Zoë'],
	['GET /ws/v2.0/character/a%2Fb%3Fc', 'GET /ws/v2.0/character/a%2Fb%3Fc'],
	['GET /ws/v2.0/character/a%0Ab', 'GET /ws/v2.0/character/a%0Ab'],
	['GET /ws/v2.0/character/%FF', 'GET /ws/v2.0/character/%FF'],
	['Saved the tokens at 100 %', 'Saved the tokens at 100 %']
])('shows %s as %s', (text, readable) => {
	expect(readablePath(text)).toBe(readable);
});
