import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { headerValue, headerValues } from '#api/headers.ts';
import type { WireResponse } from '#api/message.ts';
import { createNodeService } from '#hosts/node-service.server.ts';

const tokenResponse = v.object({ access_token: v.string(), refresh_token: v.string() });
const origin = 'https://localhost:8443';

describe('the main path, called directly', () => {
	it('signs in, consents, exchanges, reads, refreshes and revokes', async () => {
		const service = createNodeService({ origin });
		let cookie = '';
		const send = async (method: string, target: string, headers: string[] = [], body = ''): Promise<WireResponse> => {
			const result = await service.handle({
				method,
				target,
				headers: [...headers, ...(cookie === '' ? [] : ['Cookie', cookie])],
				body: new TextEncoder().encode(body),
				bodyTooLarge: false,
				peer: '127.0.0.1'
			});
			if (result.kind !== 'response') throw new Error(result.kind);
			for (const set of headerValues(result.headers, 'set-cookie')) cookie = set.split(';', 1)[0] ?? '';
			return result;
		};
		const form = ['Content-Type', 'application/x-www-form-urlencoded'];
		const redirect = encodeURIComponent(`${origin}/viewer/callback`);
		const asked = await send(
			'GET',
			`/ws/oauth2/auth/?response_type=code&client_id=character-viewer&redirect_uri=${redirect}&scope=character_read%20location_read&state=a%FFb&access_type=offline`
		);
		expect(asked.status).toBe(200);
		const interaction = /name="interaction" value="([^"]+)"/.exec(asked.body)?.[1] ?? '';
		const signedIn = await send(
			'POST',
			'/ws/oauth2/auth/',
			form,
			`interaction=${interaction}&username=player-one&password=demo`
		);
		expect(signedIn.status, signedIn.body).toBe(303);
		const consent = await send('GET', (headerValue(signedIn.headers, 'location') ?? '').slice(origin.length));
		expect(consent.body).toContain('wants access to your account');
		const approved = await send('POST', '/ws/oauth2/auth/', form, `interaction=${interaction}&decision=approve`);
		const location = headerValue(approved.headers, 'location') ?? '';
		expect(location).toMatch(/^https:\/\/localhost:8443\/viewer\/callback\?code=[\w-]{43}&state=a%FFb$/);
		const code = /code=([\w-]+)/.exec(location)?.[1] ?? '';
		const client = 'client_id=character-viewer&client_secret=viewer-secret';
		const tokens = await send(
			'POST',
			'/ws/oauth2/token/',
			form,
			`grant_type=authorization_code&${client}&code=${code}&redirect_uri=${redirect}`
		);
		expect(tokens.status).toBe(200);
		const { access_token, refresh_token } = v.parse(tokenResponse, JSON.parse(tokens.body));
		const shown = await send('GET', '/ws/v2.0/character/Mara%20Vell', ['Authorization', `OAuth ${access_token}`]);
		expect(JSON.parse(shown.body)).toMatchObject({ name: 'Mara Vell', location: { place: 'Lantern Quay' } });
		expect(headerValue(shown.headers, 'x-ratelimit-remaining')).toBe('599');
		const refreshed = await send(
			'POST',
			'/ws/oauth2/token/',
			form,
			`grant_type=refresh_token&${client}&refresh_token=${refresh_token}`
		);
		expect(JSON.parse(refreshed.body)).not.toHaveProperty('refresh_token');
		const revoked = await send('GET', `/ws/oauth2/revoke?token=${refresh_token}&client_id=character-viewer`);
		expect(revoked.status).toBe(200);
		const refused = await send('GET', '/ws/v2.0/character/Mara%20Vell', ['Authorization', `OAuth ${access_token}`]);
		expect(refused.status).toBe(401);
		const traffic = await send('GET', '/control/traffic');
		expect(traffic.status).toBe(200);
		expect(traffic.body).not.toContain(refresh_token);
		expect(traffic.body).not.toContain(access_token);
		expect(traffic.body).not.toContain(code);
		expect(traffic.body).not.toContain('viewer-secret');
	});
});
