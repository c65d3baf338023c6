import { equal, lacks, matches } from '../assert.ts';
import { testCase, type Case } from '../case.ts';
import { codeOf } from '../user-agent.ts';

const both = 'character_read location_read';

/** SC-09: when the consent page is shown again, and what it lists. */
export const grantedBeforeCases: Case[] = [
	testCase('SC-09 asks for consent again only for more permissions', async (at) => {
		const user = at.user();
		await user.tokens(at.viewer, { scope: both });
		codeOf(await user.authorize(at.viewer, { scope: both }));
		codeOf(await user.authorize(at.viewer, { scope: 'location_read' }));
		const more = await user.authorize(at.viewer, { scope: `${both} credits_read` });
		matches(more.text, 'value="approve"');
		matches(more.text, 'already granted');
	}),
	testCase('SC-09 skips consent only for the signed-in user who granted it', async (at) => {
		await at.user().tokens();
		matches((await at.user().authorize()).text, 'name="password"');
		const other = at.user('player-two');
		matches((await other.openConsent()).text, 'value="approve"');
	}),
	testCase(
		'SC-09 asks for consent at the first offline request, also for granted permissions, and says so',
		async (at) => {
			const user = at.user();
			await user.tokens(at.viewer, { scope: both });
			const page = await user.authorize(at.viewer, { scope: both, access_type: 'offline' });
			matches(page.text, /offline access/i);
			codeOf(await user.decide(page));
			codeOf(await user.authorize(at.viewer, { scope: both, access_type: 'offline' }));
			const online = await at.user('player-two').openConsent();
			lacks(online.text, /offline access/i, 'no notice for online access');
		}
	),
	testCase('SC-09 says that an installed application can always get offline access', async (at) => {
		const user = at.user();
		const page = await user.openConsent(at.companion);
		matches(page.text, /offline access/i);
		const { tokens } = await at.exchange(codeOf(await user.decide(page)), at.companion, { access_type: 'offline' });
		matches(tokens.refresh_token, /./);
	}),
	testCase('SC-09 asks the user again after access was revoked by either side', async (at) => {
		const user = at.user();
		const { refresh_token } = await user.offline();
		equal((await at.revoke(refresh_token)).status, 200);
		matches((await user.authorize(at.viewer, { access_type: 'offline' })).text, 'value="approve"');
		await user.offline();
		equal((await user.revoke()).status, 303);
		matches((await user.authorize()).text, 'value="approve"');
	}),
	testCase('SC-09 lists requested and earlier permissions on renewal', async (at) => {
		const user = at.user();
		await user.tokens(at.viewer, { scope: both });
		const renewed = { scope: 'credits_read', renew_previously_granted: 'yes' };
		const page = await user.authorize(at.viewer, renewed);
		for (const scope of ['credits_read', 'character_read', 'location_read'])
			matches(page.text, `<code>${scope}</code>`);
		const { scope } = (await at.exchange(codeOf(await user.decide(page)))).tokens;
		equal(scope.split(' ').sort(), ['character_read', 'credits_read', 'location_read']);
		const narrow = await user.authorize(at.viewer, { scope: 'inventory_read' });
		lacks(narrow.text, '<code>location_read</code>', 'a page without renewal');
	}),
	testCase('SC-09 renews all earlier permissions without a page', async (at) => {
		const user = at.user();
		await user.tokens(at.viewer, { scope: both });
		const asked = { scope: 'character_read', renew_previously_granted: 'yes' };
		const response = await user.authorize(at.viewer, asked);
		equal((await at.exchange(codeOf(response))).tokens.scope.split(' ').sort(), ['character_read', 'location_read']);
	}),
	testCase('SC-09 always asks for an installed application', async (at) => {
		const user = at.user();
		await user.tokens(at.companion, { access_type: 'offline' });
		matches((await user.authorize(at.companion, { access_type: 'offline' })).text, 'value="approve"');
	}),
	testCase('SC-09 keeps the grants of two applications apart', async (at) => {
		const user = at.user();
		await user.tokens(at.viewer, { scope: both });
		const other = await at.register('web', ['https://other.example/cb']);
		matches((await user.authorize(other)).text, 'value="approve"');
	}),
	testCase('SC-09 lists permissions and dates on the account page, and revokes them there', async (at) => {
		const user = at.user();
		const { access_token, refresh_token } = await user.offline(at.viewer, { scope: both });
		const page = await user.open('/account');
		for (const part of ['<bdi>Character Viewer</bdi>', 'character_read', 'location_read']) matches(page.text, part);
		lacks((await at.user('player-two').signIn()).text, '<bdi>Character Viewer</bdi>');
		await user.revoke();
		lacks((await user.open('/account')).text, '<bdi>Character Viewer</bdi>');
		equal([(await at.character(access_token)).status, (await at.refresh(refresh_token)).error], [401, 'invalid_grant']);
	})
];
