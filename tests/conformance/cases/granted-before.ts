import { equal, lacks, matches } from '../assert.ts';
import { shows, type Case } from '../case.ts';
import { codeOf } from '../user-agent.ts';

const both = 'character_read location_read';

/** SC-09: when a person is asked again, and what the page lists. */
export const grantedBeforeCases: Case[] = [
	shows('SC-09 the same or fewer permissions are not asked for again, more are', async (at) => {
		const person = at.person();
		await person.tokens(at.viewer, { scope: both });
		codeOf(await person.authorize(at.viewer, { scope: both }));
		codeOf(await person.authorize(at.viewer, { scope: 'location_read' }));
		const more = await person.authorize(at.viewer, { scope: `${both} credits_read` });
		matches(more.text, 'value="approve"');
		matches(more.text, 'granted before');
	}),
	shows('SC-09 skipping consent still needs somebody who is signed in, and that very person', async (at) => {
		await at.person().tokens();
		matches((await at.person().authorize()).text, 'name="password"');
		const other = at.person('player-two');
		matches((await other.askedFor()).text, 'value="approve"');
	}),
	shows('SC-09 the first offline request asks, though the permissions were granted; the notice says so', async (at) => {
		const person = at.person();
		await person.tokens(at.viewer, { scope: both });
		const page = await person.authorize(at.viewer, { scope: both, access_type: 'offline' });
		matches(page.text, /while you are away|absent/i);
		codeOf(await person.decide(page));
		codeOf(await person.authorize(at.viewer, { scope: both, access_type: 'offline' }));
		const online = await at.person('player-two').askedFor();
		lacks(online.text, /while you are away/i, 'no notice for online access');
	}),
	shows('SC-09 an installed application can act in absence whatever it asked for, and its page says so', async (at) => {
		const person = at.person();
		const page = await person.askedFor(at.companion);
		matches(page.text, /while you are away/i);
		const { tokens } = await at.exchange(codeOf(await person.decide(page)), at.companion, { access_type: 'offline' });
		matches(tokens.refresh_token, /./);
	}),
	shows('SC-09 after a revoke, by either side, the person is asked again', async (at) => {
		const person = at.person();
		const { refresh_token } = await person.offline();
		equal((await at.revoke(refresh_token)).status, 200);
		matches((await person.authorize(at.viewer, { access_type: 'offline' })).text, 'value="approve"');
		await person.offline();
		equal((await person.takeAway()).status, 303);
		matches((await person.authorize()).text, 'value="approve"');
	}),
	shows('SC-09 on renewal the page lists what is asked for and what was granted before', async (at) => {
		const person = at.person();
		await person.tokens(at.viewer, { scope: both });
		const renewed = { scope: 'credits_read', renew_previously_granted: 'yes' };
		const page = await person.authorize(at.viewer, renewed);
		for (const scope of ['credits_read', 'character_read', 'location_read'])
			matches(page.text, `<code>${scope}</code>`);
		const { scope } = (await at.exchange(codeOf(await person.decide(page)))).tokens;
		equal(scope.split(' ').sort(), ['character_read', 'credits_read', 'location_read']);
		const narrow = await person.authorize(at.viewer, { scope: 'inventory_read' });
		lacks(narrow.text, '<code>location_read</code>', 'a page without renewal');
	}),
	shows('SC-09 renewal of what was granted needs no page and covers all of it', async (at) => {
		const person = at.person();
		await person.tokens(at.viewer, { scope: both });
		const asked = { scope: 'character_read', renew_previously_granted: 'yes' };
		const reply = await person.authorize(at.viewer, asked);
		equal((await at.exchange(codeOf(reply))).tokens.scope.split(' ').sort(), ['character_read', 'location_read']);
	}),
	shows('SC-09 an installed application always asks', async (at) => {
		const person = at.person();
		await person.tokens(at.companion, { access_type: 'offline' });
		matches((await person.authorize(at.companion, { access_type: 'offline' })).text, 'value="approve"');
	}),
	shows('SC-09 grants of two applications are apart', async (at) => {
		const person = at.person();
		await person.tokens(at.viewer, { scope: both });
		const other = await at.register('web', ['https://other.example/cb']);
		matches((await person.authorize(other)).text, 'value="approve"');
	}),
	shows('SC-09 the account page lists what may be done since when, and takes it away', async (at) => {
		const person = at.person();
		const { access_token, refresh_token } = await person.offline(at.viewer, { scope: both });
		const page = await person.open('/account');
		for (const part of ['Character Viewer', 'character_read', 'location_read']) matches(page.text, part);
		lacks((await at.person('player-two').signIn()).text, 'Character Viewer');
		await person.takeAway();
		lacks((await person.open('/account')).text, 'Character Viewer');
		equal([(await at.character(access_token)).status, (await at.refresh(refresh_token)).error], [401, 'invalid_grant']);
	})
];
