import { createHash } from 'node:crypto';
import { traffic, type TrafficEntry } from '#api/control/traffic.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';

const code_verifier = 'a-code-verifier-of-43-characters-or-more-123';

/**
 * Signs in with PKCE, reads a character, lets the token expire, refreshes, replays the code, and sends another one with a wrong
 * redirect URI. Returns the log, and the secrets that were sent and issued.
 */
export async function recordFlow(
	at: Sandbox
): Promise<{ readonly entries: TrafficEntry[]; readonly secrets: string[] }> {
	const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
	const asked = { access_type: 'offline', state: 'my state', code_challenge, code_challenge_method: 'S256' };
	const user = at.user();
	const code = await user.code(at.viewer, asked);
	const { access_token, refresh_token = '' } = (await at.exchange(code, at.viewer, { code_verifier })).tokens;
	await at.character(access_token);
	await at.character(access_token, 'Unknown');
	await at.advance(7200);
	await at.character(access_token);
	const refreshed = (await at.refresh(refresh_token)).tokens;
	await at.get('/ws/v2.0/ratelimits', 'Authorization', `OAuth ${refreshed.access_token}`, 'Accept', 'application/json');
	await at.exchange(code, at.viewer, { code_verifier });
	await at.exchange(await user.code(), at.viewer, { redirect_uri: 'https://other.example/callback' });
	const { entries } = (await at.controlled('GET', 'traffic?limit=500')).as(traffic);
	const issued = [code, access_token, refresh_token, refreshed.access_token, ...user.cookies.values()];
	return { entries, secrets: [...issued, code_verifier, 'viewer-secret', 'password=demo', 'my state', 'my%20state'] };
}
