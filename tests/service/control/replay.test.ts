import { expect, it } from 'vitest';
import { replayResult } from '#api/control/credentials.ts';
import { traffic } from '#api/control/traffic.ts';
import { valuePlaces } from '../../conformance/value-places.ts';
import { createTestService } from '../test-service.ts';

async function opened() {
	const at = await createTestService().sandbox();
	const log = async () => (await at.controlled('GET', 'traffic')).as(traffic).entries;
	/** The id of the code that was issued last. */
	const codeId = () => lastId('code');
	const lastId = async (kind: 'code' | 'refresh_token') =>
		(await log())
			.flatMap(({ credentials }) => credentials)
			.findLast((one) => one.type === 'issued' && one.kind === kind)?.id ?? '';
	const replay = async (id: string) => at.control('POST', `credentials/codes/${id}/replay`);
	const replayToken = async (id: string, client_id = 'character-viewer') =>
		at.control('POST', `credentials/refresh_tokens/${id}/replay`, { client_id });
	return { at, log, codeId, lastId, replay, replayToken };
}

it('a code that is replayed fails as a code used twice, and ends its tokens', async () => {
	const { at, log, codeId, replay } = await opened();
	const tokens = await at.user().offline();
	const result = (await replay(await codeId())).as(replayResult);
	const entries = await log();
	const [exchange, replayed] = entries.filter(({ endpoint }) => endpoint === 'token');
	expect(result).toEqual({ status: 400, request: replayed?.id });
	expect(replayed?.trace.at(-1)).toMatchObject({
		id: 'token.code_not_used',
		outcome: 'failed',
		cause: 'already_used'
	});
	expect(replayed?.credentials).toEqual([
		expect.objectContaining({ type: 'ended', kind: 'family', reason: 'replayed' })
	]);
	expect(replayed?.flow).toBe(exchange?.flow);
	expect((await at.character(tokens.access_token)).status).toBe(401);
	expect((await at.refresh(tokens.refresh_token)).status).toBe(400);
});

it('the log of a replay has the label of the code, and no other values', async () => {
	const { at, log, codeId, replay } = await opened();
	await at.user().offline();
	const id = await codeId();
	await replay(id);
	const entries = await log();
	const label = entries.flatMap(({ values }) => values).find((value) => value.id === id)?.label;
	const replayed = entries.at(-1);
	expect(replayed?.values).toEqual([{ label, preview: '', id }]);
	expect(replayed && valuePlaces(replayed)).toEqual([`${label} in /request/body: ••••`]);
	expect(replayed?.request.body).toContain('&code=••••&');
	expect(replayed?.request.body).toMatch(/client_secret=••••$/);
});

it('only a used code of this sandbox is replayed, by who controls it', async () => {
	const { at, codeId, replay } = await opened();
	await at.user().code();
	const unused = await codeId();
	expect((await replay(unused)).status).toBe(409);
	expect((await replay('unknown')).status).toBe(404);
	expect((await at.send({ method: 'POST', target: `/control/credentials/codes/${unused}/replay` })).status).toBe(403);
	await at.controlled('POST', 'clock', { advance: 3600 });
	expect((await replay(unused)).as(replayResult).status).toBe(400);
});

it('a replay without a response', async () => {
	const { at, codeId, replay } = await opened();
	await at.user().offline();
	await at.controlled('POST', 'faults', { endpoint: 'token', kind: 'drop' });
	expect((await replay(await codeId())).as(replayResult)).toEqual({ status: null });
});

it('a refresh token that is replayed works until it is revoked, and only for its client', async () => {
	const { at, log, lastId, replayToken } = await opened();
	const tokens = await at.user().offline();
	const id = await lastId('refresh_token');
	expect((await replayToken(id)).as(replayResult).status).toBe(200);
	expect((await replayToken(id, 'pocket-companion')).as(replayResult).status).toBe(400);
	expect((await replayToken(id, 'unknown')).status).toBe(404);
	await at.revoke(tokens.refresh_token);
	const { status, request } = (await replayToken(id)).as(replayResult);
	const entry = (await log()).find((one) => one.id === request);
	expect([status, entry?.trace.at(-1)?.id]).toEqual([400, 'token.refresh_token_known']);
	expect(entry && valuePlaces(entry)).toEqual(['refresh token 1 in /request/body: ••••']);
});
