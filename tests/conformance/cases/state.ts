import { equal, lacks, matches } from '../assert.ts';
import { hostCase, type Case } from '../case.ts';
import { queryOf } from '../user-agent.ts';
import { isPageInPlace } from './redirect-uris.ts';

const spellings = [
	'%FF',
	'%00',
	'%0D%0AX:y',
	'a+b%20c%2Bd',
	'%26%3D%23',
	'plain',
	'%e2%82%ac',
	'%E2%82%AC',
	'%C3%28',
	'%F0%9F%98%80',
	'%3Cscript%3Ealert(1)%3C/script%3E',
	'%',
	'%zz',
	'%2525',
	"a'b(c)*!~",
	'a=b=c',
	'%7e%7E',
	'?x=1',
	'/a/b;c:d@e,f$g'
];

/** AZ-06: state comes back byte for byte. */
export const stateCases: Case[] = [
	hostCase('AZ-06 returns state byte for byte: after approval, denial and errors', async (at) => {
		const user = at.user();
		for (const state of spellings) {
			const asked = `/ws/oauth2/auth/?${queryOf(at.viewer)}&state=${state}`;
			const page = await user.open(`${asked}&renew_previously_granted=yes`);
			const approved = page.header('location') ?? (await user.decide(await signedIn(page))).location;
			equal(approved.split('&state=')[1], state, `approved, ${state}`);
			const error = await user.open(`${asked}&access_type=x`);
			equal(error.location.split('&state=')[1], state, `error, ${state}`);
			equal(error.all('x').length, 0, 'no header is split');
		}
		const page = await user.open(`/ws/oauth2/auth/?${queryOf(at.viewer, { scope: 'credits_read' })}&state=a%FFb`);
		const denied = await user.decide(page, 'deny');
		equal(denied.location, `${at.viewer.redirect_uri}?error=access_denied&state=a%FFb`);

		async function signedIn(page: Awaited<ReturnType<typeof user.open>>) {
			return page.text.includes('name="password"') ? user.signInOn(page) : page;
		}
	}),
	hostCase('AZ-06 keeps an absent state absent and an empty one empty', async (at) => {
		const user = at.user();
		const absent = await user.allow();
		matches(absent.location, /\?code=[\w-]+$/);
		const empty = await user.open(`/ws/oauth2/auth/?${queryOf(at.viewer)}&state=`);
		matches(empty.location, /\?code=[\w-]+&state=$/);
		const bare = await user.open(`/ws/oauth2/auth/?${queryOf(at.viewer)}&state`);
		matches(bare.location, /&state=$/);
	}),
	hostCase('AZ-06 returns a state of 4 KB and shows a 400 page for a longer one', async (at) => {
		const user = at.user();
		const long = 'é'.repeat(2048);
		const response = await user.allow(at.viewer, { state: long });
		equal(response.parameter('state'), long);
		for (const state of [`${long}x`, 'x'.repeat(4097)]) {
			isPageInPlace(await at.get(`/ws/oauth2/auth/?${queryOf(at.viewer, { state })}`), 'too long');
		}
	}),
	hostCase(
		'AZ-06 HT-11 percent-encodes raw bytes of state in Location, or rejects them',
		async (at) => {
			const user = at.user();
			await user.tokens();
			const response = await user.open(`/ws/oauth2/auth/?${queryOf(at.viewer)}&state=a\u00e9\u00ffb`);
			if (response.status !== 400) equal(response.location.split('&state=')[1]?.toUpperCase(), 'A%E9%FFB');
		},
		['raw target']
	),
	hostCase('AZ-06 SC-10 shows state as inert text on the out-of-band page', async (at) => {
		const response = await at.user().allow(at.companion, { state: '<script>"\'&' });
		matches(response.text, '&lt;script&gt;');
		lacks(response.text, /<script(?! src=)/i);
	})
];
