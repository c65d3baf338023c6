import * as v from 'valibot';
import { trafficEntry, type CredentialEvent, type TrafficEntry } from '#api/control/traffic.ts';
import { defined, equal, ok } from '../assert.ts';
import { testCase, type Case } from '../case.ts';
import { Sandbox } from '../sandbox.ts';
import { valuePlaces } from '../value-places.ts';

const page = v.object({ entries: v.array(trafficEntry) });

/** IN: what the traffic log says about an exchange. */
export const trafficCases: Case[] = [
	testCase('IN-03 an exchange of another sandbox, or of a deleted one, is not found like any other', async (at) => {
		const other = await Sandbox.create(at.transport);
		const [foreign, deleted] = [(await other.get('/ratelimiting')).id, (await other.get('/account')).id];
		const find = async (id: string) => {
			const { status, text } = await at.control('GET', `traffic/${id}`);
			return [status, text];
		};
		const unknown = await find('AAAAAAAAAAAAAAAA');
		equal(unknown[0], 404);
		equal(await find(foreign), unknown);
		await other.remove();
		equal(await find(deleted), unknown);
	}),
	testCase('IN-05 every exchange of a sign-in has the flow of its authorization request', async (at) => {
		const { access_token, refresh_token } = await at.user('player-one').offline();
		await at.character((await at.refresh(refresh_token)).tokens.access_token);
		const other = await at.user('player-two').tokens();
		await at.character(access_token);
		await at.character(other.access_token);
		await at.revoke(refresh_token);
		const entries = await log(at);
		const flows = groupByFlow(entries);
		equal(
			flows.map(([flow, list]) => [flow !== undefined, list.map(({ endpoint }) => endpoint).join(' ')]),
			[
				[true, 'auth auth auth auth token token character character revoke'],
				[true, 'auth auth auth auth token character']
			]
		);
		for (const [, list] of flows) {
			equal(new Set(list.slice(4).map(({ grant }) => grant)).size, 1, 'one grant');
			equal(new Set(list.slice(4).map(({ family }) => family)).size, 1, 'one family');
		}
	}),
	testCase('IN-06 a value has the same label wherever it occurs, and another value has another one', async (at) => {
		const user = at.user();
		const code = await user.code(at.viewer, { access_type: 'offline', state: 'abc' });
		const { access_token, refresh_token = '' } = (await at.exchange(code)).tokens;
		await at.exchange(code);
		await at.refresh(refresh_token);
		await at.character(access_token);
		await at.revoke(refresh_token);
		const entries = await log(at);
		const [first, last] = [defined(entries[0], 'an entry'), defined(entries.at(-1), 'an entry')];
		ok(first.request.target.includes('state=••••'), first.request.target);
		equal(valuePlaces(first)[0], 'state 1 in /request/target: ••••');
		const labels = (endpoint: string) =>
			entries.filter((one) => one.endpoint === endpoint).map(({ values }) => values.map(({ label }) => label).join());
		equal(labels('token'), [
			'code 1,client secret 1,access token 1,refresh token 1',
			'code 1,client secret 1',
			'refresh token 1,client secret 1'
		]);
		equal(labels('character'), ['access token 1']);
		const preview = `${refresh_token.slice(0, 6)}…`;
		ok(last.request.target.includes(`token=${preview}`), last.request.target);
		equal(valuePlaces(last), [`refresh token 1 in /request/target: ${preview}`]);
		const redirect = defined(
			entries.find(({ response }) => response?.status === 303 && textOf(response).includes('?code=')),
			'a redirect with a code'
		);
		const places = valuePlaces(redirect).map((place) => place.replace(/ in \/response\/headers\/\d+\/1/, ''));
		equal(places.slice(-2), [`code 1: ${code.slice(0, 6)}…`, 'state 1: ••••']);
	}),
	testCase('IN-07 an entry says which codes and tokens it issued, used and ended', async (at) => {
		const user = at.user();
		const code = await user.code(at.viewer, { access_type: 'offline' });
		const { refresh_token = '' } = (await at.exchange(code)).tokens;
		const { access_token } = (await at.refresh(refresh_token)).tokens;
		await at.character(access_token);
		await at.exchange(code);
		const second = await user.code();
		await at.exchange(second, at.viewer, { redirect_uri: 'https://other.example/' });
		await at.revoke((await user.offline()).refresh_token);
		const events = (await log(at)).flatMap(({ credentials }) => credentials);
		equal(events.map(summary), [
			'issued code',
			'ended code exchanged',
			'issued access_token',
			'issued refresh_token',
			'used refresh_token',
			'issued access_token',
			'used access_token',
			'ended family replayed',
			'issued code',
			'ended code failed_exchange',
			'issued code',
			'ended code exchanged',
			'issued access_token',
			'issued refresh_token',
			'ended grant revoked'
		]);
		const [codeId, first, refresh] = events.flatMap((one) => (one.type === 'issued' ? [one] : []));
		equal([first?.from, refresh?.from, refresh?.family], [codeId?.id, codeId?.id, first?.family]);
	})
];

async function log(at: Sandbox): Promise<TrafficEntry[]> {
	return (await at.controlled('GET', 'traffic?limit=500')).as(page).entries;
}

function summary(event: CredentialEvent): string {
	return [event.type, event.kind, ...(event.type === 'ended' ? [event.reason] : [])].join(' ');
}

function textOf(message: TrafficEntry['response'] | undefined): string {
	return message?.headers.join('\n') ?? '';
}

function groupByFlow(entries: readonly TrafficEntry[]): [flow: string | undefined, TrafficEntry[]][] {
	const flows = new Map<string | undefined, TrafficEntry[]>();
	for (const entry of entries) flows.set(entry.flow, [...(flows.get(entry.flow) ?? []), entry]);
	return [...flows];
}
