import { credentials as schema, type CredentialKind, type LiveGrant } from '#api/control/credentials.ts';
import { defined, equal, lacks, matches } from '../assert.ts';
import { storeCase, type Case } from '../case.ts';
import type { Sandbox } from '../sandbox.ts';

/** RV-05: the owner of a sandbox ends credentials. */
export const credentialCases: Case[] = [
	storeCase('RV-05 lists the live credentials of each grant, without a secret', async (at) => {
		const user = at.user();
		const { access_token, refresh_token } = await user.offline();
		await at.refresh(refresh_token);
		const code = await user.code();
		const used = await user.code();
		await at.exchange(used);
		await at.user('player-two').tokens(at.companion);
		const response = await at.controlled('GET', 'credentials');
		for (const secret of [access_token, refresh_token, code, used]) lacks(response.text, secret);
		const { grants, more } = response.as(schema);
		equal([grants.map(({ username }) => username), more], [['player-two', 'player-one'], 0], 'newest first');
		const grant = defined(grants[1], 'the grant');
		equal([grant.application, grant.offline, grant.scopes], ['Character Viewer', true, ['character_read']]);
		equal(countsOf(grant), [1, 3, 1]);
		equal(typeof grant.last_used, 'number');
		await at.advance(601);
		equal(countsOf(await grantOf(at)), [0, 3, 1], 'after the code has expired');
		await at.advance(3920);
		equal(countsOf(await grantOf(at)), [0, 0, 1], 'after the access tokens have expired');
	}),
	storeCase('RV-05 ends one code, one access token or one refresh token at once, and nothing else', async (at) => {
		const user = at.user();
		const { access_token, refresh_token } = await user.offline();
		const other = (await at.refresh(refresh_token)).tokens.access_token;
		const code = await user.code();
		const grant = await grantOf(at);
		await end(at, 'codes', grant.codes[0]?.id);
		equal((await at.exchange(code)).error, 'invalid_grant');
		await end(at, 'access_tokens', grant.access_tokens[0]?.id);
		equal([(await at.character(other)).status, (await at.character(access_token)).status], [401, 200], 'the newest');
		await end(at, 'refresh_tokens', grant.refresh_tokens[0]?.id);
		equal((await at.refresh(refresh_token)).error, 'invalid_grant');
		equal((await at.character(access_token)).status, 200, 'still');
		equal(countsOf(await grantOf(at)), [0, 1, 0]);
		matches((await user.offline()).refresh_token, /./, 'the next offline exchange gets one again');
	}),
	storeCase('RV-05 ends a grant with all that was issued under it', async (at) => {
		const user = at.user();
		const { access_token, refresh_token } = await user.offline();
		const code = await user.code();
		const { id, codes, access_tokens } = await grantOf(at);
		await end(at, 'grants', id);
		equal((await at.character(access_token)).status, 401);
		equal((await at.refresh(refresh_token)).error, 'invalid_grant');
		equal((await at.exchange(code)).error, 'invalid_grant');
		equal((await at.controlled('GET', 'credentials')).as(schema).grants, []);
		for (const gone of [`grants/${id}`, `codes/${codes[0]?.id ?? ''}`, `access_tokens/${access_tokens[0]?.id ?? ''}`]) {
			equal((await at.control('DELETE', `credentials/${gone}`)).status, 404, gone);
		}
		for (const unknown of ['grants/x', 'refresh_tokens/x', 'accounts/player-one', 'toString/x']) {
			equal((await at.control('DELETE', `credentials/${unknown}`)).status, 404, unknown);
		}
	})
];

async function grantOf(at: Sandbox): Promise<LiveGrant> {
	const { grants } = (await at.controlled('GET', 'credentials')).as(schema);
	return defined(
		grants.find(({ username }) => username === 'player-one'),
		'the grant'
	);
}

async function end(at: Sandbox, kind: CredentialKind, id = ''): Promise<void> {
	equal((await at.controlled('DELETE', `credentials/${kind}/${id}`)).json(), { deleted: id });
}

const countsOf = ({ codes, access_tokens, refresh_tokens }: LiveGrant) =>
	[codes, access_tokens, refresh_tokens].map(({ length }) => length);
