import { expect, it } from 'vitest';
import { claimNote, readIdToken } from '#features/inspector/message/id-token.ts';
import { signIn } from '../../conformance/openid.ts';
import { createTestService } from '../../service/test-service.ts';

it('reads the ID token of a response as the log has it', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard' });
	await signIn(at, { nonce: 'a-nonce', scope: 'openid profile' });
	const log = Object((await at.controlled('GET', 'traffic?limit=500')).json());
	const { response } = log.entries.find((entry: { endpoint: string }) => entry.endpoint === 'token');
	const { header = [], claims = [] } = readIdToken(response.body) ?? {};
	expect(header.map(([name]) => name)).toEqual(['alg', 'kid', 'typ']);
	const values = Object.fromEntries(claims.map(([name, { text }]) => [name, text]));
	expect(values).toMatchObject({ iss: at.base_url, sub: 'player-one', aud: 'character-viewer', nonce: 'a-nonce' });
	expect(values.iat).toMatch(/^\d{10} \(2026-\d\d-\d\dT[\d:]{8}Z\)$/);
	for (const [name] of [...header, ...claims]) expect(claimNote(name), name).toBeDefined();
});

it('reads names in any script, and nothing that is no ID token', () => {
	const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const body = JSON.stringify({ id_token: `${part({ alg: 'none' })}.${part({ name: 'Zoë 🚀' })}.` });
	expect(readIdToken(body)?.claims.map(([name, { text }]) => [name, text])).toEqual([['name', 'Zoë 🚀']]);
	for (const other of [
		'',
		'{}',
		'{"id_token":"a.b.c"}',
		'{"id_token":"••••"}',
		`{"id_token":"${part(1)}.${part(null)}."}`
	])
		expect(readIdToken(other)).toBeUndefined();
});
