import { expect, test } from 'vitest';
import * as v from 'valibot';
import { type TokenNode, type TokenTree, tokenTrees } from '#features/inspector/token-tree.ts';
import { credentials } from '#api/control/credentials.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';
import { createTestService } from '../../service/test-service.ts';
import { readEntries } from './entries.ts';

const lines = (nodes: readonly TokenNode[], depth = 0): string[] =>
	nodes.flatMap(({ label, state, children }) => [
		`${'  '.repeat(depth)}${label}: ${state}`,
		...lines(children, depth + 1)
	]);
const shown = (trees: readonly TokenTree[]) => trees.map(({ nodes }) => lines(nodes));

async function trees(at: Sandbox): Promise<TokenTree[]> {
	return tokenTrees(await readEntries(at), await at.now());
}

test('shows what was issued for a code, and for its refresh token', async () => {
	const at = await createTestService().sandbox();
	const { refresh_token, access_token } = await at.user().offline();
	await at.refresh(refresh_token);
	await at.character(access_token);
	const [tree] = await trees(at);
	expect(tree).toMatchObject({ client_id: 'character-viewer', username: 'player-one', isRevoked: false });
	expect(lines(tree?.nodes ?? [])).toEqual([
		'code 1: used',
		'  access token 1: valid',
		'  refresh token 1: valid',
		'    access token 2: valid'
	]);
	expect(tree?.nodes[0]?.children[0]?.uses).toBe(1);
});

test('counts the uses of a token that the service accepted', async () => {
	const at = await createTestService().sandbox();
	const { refresh_token, access_token } = await at.user().offline();
	await at.character(access_token);
	await at.character(access_token, 'Unknown');
	await at.refresh(refresh_token);
	await at.refresh(refresh_token, at.companion);
	const [access, refresh] = (await trees(at))[0]?.nodes[0]?.children ?? [];
	expect([access?.uses, refresh?.uses]).toEqual([1, 1]);
});

test('ends everything of a code that is used twice', async () => {
	const at = await createTestService().sandbox();
	const user = at.user();
	const code = await user.code(at.viewer, { access_type: 'offline' });
	await at.refresh((await at.exchange(code)).tokens.refresh_token ?? '');
	await at.exchange(code);
	await user.tokens();
	expect(shown(await trees(at))).toEqual([
		[
			'code 1: replayed',
			'  access token 1: replayed',
			'  refresh token 1: replayed',
			'    access token 2: replayed',
			'code 2: used',
			'  access token 3: valid'
		]
	]);
});

test('shows codes after a failed exchange, and tokens after a revocation', async () => {
	const at = await createTestService().sandbox();
	const code = await at.user().code();
	await at.exchange(code, at.viewer, { code_verifier: 'x'.repeat(43) });
	const { refresh_token } = await at.user('player-two').offline();
	await at.revoke(refresh_token);
	const found = await trees(at);
	expect(found.map(({ isRevoked }) => isRevoked)).toEqual([true, false]);
	expect(shown(found)).toEqual([
		['code 2: used', '  access token 1: revoked', '  refresh token 1: revoked'],
		['code 1: failed']
	]);
});

test('follows the sandbox clock', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'specification' });
	await at.user().tokens();
	await at.user('player-two').code();
	await at.advance(590);
	expect(shown(await trees(at))).toEqual([['code 2: expiring'], ['code 1: used', '  access token 1: valid']]);
	await at.advance(3920);
	expect(shown(await trees(at))).toEqual([['code 2: expired'], ['code 1: used', '  access token 1: expired']]);
});

test('shows the state after an earlier exchange', async () => {
	const at = await createTestService().sandbox();
	const code = await at.user().code();
	await at.exchange(code);
	await at.exchange(code);
	const entries = await readEntries(at);
	const after = (count: number) => shown(tokenTrees(entries.slice(0, count), entries[count - 1]?.at ?? 0))[0];
	expect(after(4)).toEqual(['code 1: valid']);
	expect(after(5)).toEqual(['code 1: used', '  access token 1: valid']);
	expect(after(6)).toEqual(['code 1: replayed', '  access token 1: replayed']);
});

test('shows what the controls ended, and nothing else as ended', async () => {
	const at = await createTestService().sandbox();
	await at.user().offline();
	await at.user('player-two').tokens();
	const read = async () => v.parse(credentials, JSON.parse((await at.controlled('GET', 'credentials')).text));
	const live = await read();
	const token = live.grants.find(({ username }) => username === 'player-one')?.access_tokens[0]?.id ?? '';
	const other = live.grants.find(({ username }) => username === 'player-two')?.id ?? '';
	await at.controlled('DELETE', `credentials/access_tokens/${token}`);
	await at.controlled('DELETE', `credentials/grants/${other}`);
	const found = tokenTrees(await readEntries(at), await at.now(), await read());
	expect(found.map(({ isRevoked }) => isRevoked)).toEqual([true, false]);
	expect(shown(found)).toEqual([
		['code 2: used', '  access token 2: ended'],
		['code 1: used', '  access token 1: ended', '  refresh token 1: valid']
	]);
});

test('shows what an application got for itself, without a user', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard' });
	const { client_id, client_secret } = at.viewer;
	const request = { grant_type: 'client_credentials', client_id, client_secret };
	for (let count = 0; count < 2; count++) await at.token(request);
	const [tree] = await trees(at);
	expect(tree).toMatchObject({ client_id, username: undefined, isOwn: true, isRevoked: false });
	expect(lines(tree?.nodes ?? [])).toEqual(['access token 1: valid', 'access token 2: valid']);
	await at.changeSettings({ dialect: 'specification' });
	await at.user().tokens();
	expect((await trees(at)).map(({ isOwn }) => isOwn)).toEqual([false, true]);
});
