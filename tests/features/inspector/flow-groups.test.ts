import { describe, expect, test } from 'vitest';
import { type FlowGroup, FlowGroups, groupFlows } from '#features/inspector/flow-groups.ts';
import type { SharedEvent } from '#client/storage/tab-state.svelte.ts';
import { failedAt, timelineEntry } from './timeline-entry.ts';

const state = { label: 'state 1', preview: 'stateA…', id: 'a' };
const code = { label: 'code 1', preview: 'codeAA…', id: 'b' };
const token = { label: 'access token 1', preview: 'tokenA…', id: 'c' };
const viewer = { client_id: 'character-viewer', flow: 'f1' };

/** A sign-in, and a request with its token. */
const signIn = [
	timelineEntry(1, {
		...viewer,
		endpoint: 'auth',
		values: [state],
		request: { method: 'GET', target: '/ws/oauth2/auth/?scope=character_read', headers: [], body: '' }
	}),
	timelineEntry(2, { ...viewer, endpoint: 'auth', username: 'player-one', values: [state, code] }),
	timelineEntry(3, {
		...viewer,
		endpoint: 'token',
		values: [code, token],
		credentials: [{ type: 'issued', kind: 'access_token', id: 'c', grant: 'g', scopes: ['character_read', 'more'] }]
	}),
	timelineEntry(4, { ...viewer, values: [token] })
];

function event(seq: number, part: Partial<SharedEvent>): SharedEvent {
	return { seq, at: 0, kind: 'event', message: String(part.type), fields: [], source: 'tab', ...part };
}

/** The numbers of the exchanges and the types of the events of a group. */
const itemsOf = (group: FlowGroup | undefined) =>
	group?.items.map((item) => (item.kind === 'exchange' ? item.entry.seq : item.event.type));

describe('groups', () => {
	test('keep the exchanges of two flows apart, whatever their order', () => {
		const other = { client_id: 'other', flow: 'f2' };
		const groups = groupFlows([
			...signIn.slice(0, 2),
			timelineEntry(3, other),
			timelineEntry(4, viewer),
			timelineEntry(5, other)
		]);
		expect(groups.map((group) => [group.flow, group.client_id, itemsOf(group)])).toEqual([
			['f1', 'character-viewer', [1, 2, 4]],
			['f2', 'other', [3, 5]]
		]);
	});

	test('have the user, the permissions and the start of their flow', () => {
		const [group] = groupFlows(signIn);
		expect(group).toMatchObject({ username: 'player-one', scopes: ['character_read', 'more'], start: 1000 });
		expect(groupFlows(signIn.slice(0, 1))[0]?.scopes).toEqual(['character_read']);
		const narrow = timelineEntry(5, {
			...viewer,
			endpoint: 'token',
			credentials: [{ type: 'issued', kind: 'access_token', id: 'd', grant: 'g', scopes: ['more'] }]
		});
		expect(groupFlows([...signIn, narrow])[0]?.scopes, 'not those of a refresh').toEqual(['character_read', 'more']);
	});

	test('of exchanges without a flow are by application or address, and end where a flow begins', () => {
		const groups = groupFlows([
			timelineEntry(1),
			timelineEntry(2, { client_id: 'own' }),
			timelineEntry(3),
			timelineEntry(4, viewer),
			timelineEntry(5)
		]);
		expect(groups.map((group) => [group.client_id ?? group.address, itemsOf(group)])).toEqual([
			['192.0.2.1', [1, 3]],
			['own', [2]],
			['character-viewer', [4]],
			['192.0.2.1', [5]]
		]);
	});
});

describe('groups of a growing log', () => {
	const [f1, f2] = [{ flow: 'f1' }, { flow: 'f2' }];
	const entries = [
		timelineEntry(1, f1),
		timelineEntry(2),
		timelineEntry(3, f2),
		timelineEntry(4, f1),
		timelineEntry(5)
	];

	test('are those of the whole log, and only a group with a new exchange changes', () => {
		const flows = new FlowGroups();
		let before = flows.update([]);
		for (let count = 1; count <= entries.length; count++) {
			const after = flows.update(entries.slice(0, count));
			expect(after).toEqual(groupFlows(entries.slice(0, count)));
			expect(after.filter((group) => !before.includes(group))).toHaveLength(1);
			before = after;
		}
	});

	test('lose the oldest exchanges, and end with their last one', () => {
		const flows = new FlowGroups();
		flows.update(entries);
		const groups = flows.update([...entries.slice(2), timelineEntry(6), timelineEntry(7, f2)]);
		expect(groups.map((group) => [group.key, itemsOf(group)])).toEqual([
			['flow f1', [4]],
			['flow f2', [3, 7]],
			['from 5', [5, 6]]
		]);
	});

	test('are built again for another log', () => {
		const flows = new FlowGroups();
		flows.update(entries);
		expect(flows.update(entries.slice(0, 1))).toEqual(groupFlows(entries.slice(0, 1)));
		expect(flows.update(entries.filter(({ flow }) => flow === 'f2')).map(itemsOf)).toEqual([[3]]);
		expect(flows.update([])).toEqual([]);
	});
});

describe('the result of a flow', () => {
	const result = (...entries: Parameters<typeof groupFlows>[0]) => groupFlows(entries)[0]?.result?.label;
	const location = (error: string) => ({
		response: { status: 302, headers: [['Location', `https://client.test/?error=${error}&state=s`]] as const, body: '' }
	});

	test('is that of its last step', () => {
		expect(result(...signIn.slice(0, 2))).toBe('In progress');
		expect(result(...signIn)).toBe('Signed in');
		const failed = timelineEntry(3, { ...viewer, endpoint: 'token', trace: failedAt('token.code_known') });
		expect(result(...signIn.slice(0, 2), failed)).toBe('Unknown code');
		expect(result(timelineEntry(1, { ...viewer, endpoint: 'auth', ...location('access_denied') }))).toBe('Denied');
		expect(result(timelineEntry(1, { ...viewer, endpoint: 'auth', ...location('invalid_scope') }))).toBe(
			'invalid_scope · status 302'
		);
	});

	test('stays after a failed request of a user who is signed in, and ends with the grant', () => {
		const failed = timelineEntry(5, { ...viewer, trace: failedAt('resource.name_known') });
		expect(result(...signIn, failed)).toBe('Signed in');
		const ended = { type: 'ended', kind: 'grant', id: 'g', reason: 'revoked' } as const;
		expect(result(...signIn, timelineEntry(5, { ...viewer, credentials: [ended] }), failed)).toBe('Access revoked');
	});
});

describe('events of our own clients', () => {
	const previews = [state.preview, code.preview];

	test('are between the exchanges that their values appear in', () => {
		const events = [
			event(1, { type: 'authorization_started', previews: [state.preview] }),
			event(2, { type: 'state_verified', previews }),
			event(3, { type: 'code_exchange_started', previews }),
			event(4, { kind: 'request', requestId: 'id-3' }),
			event(5, { type: 'tokens_saved', previews: [token.preview] })
		];
		const expected = ['authorization_started', 1, 2, 'state_verified', 'code_exchange_started', 3, 'tokens_saved', 4];
		expect(itemsOf(groupFlows(signIn, events)[0])).toEqual(expected);
	});

	test('have the labels that the service gave their values', () => {
		const events = [event(1, { type: 'state_verified', previews: [...previews, 'other1…'] })];
		const items = groupFlows(signIn, events)[0]?.items.filter((item) => item.kind === 'event');
		expect(items).toMatchObject([{ values: [state, code] }]);
	});

	test('keep their flow when the first exchange with their value leaves the log', () => {
		const groups = new FlowGroups();
		const events = [event(1, { type: 'state_verified', previews: [code.preview] })];
		groups.update(signIn, events);
		expect(itemsOf(groups.update(signIn.slice(2), events)[0])).toEqual([3, 'state_verified', 4]);
	});

	test('come after the latest request of their tab', () => {
		const events = [
			event(1, { kind: 'request', requestId: 'id-4' }),
			event(2, { type: 'request_throttled', previews: [token.preview] })
		];
		expect(itemsOf(groupFlows(signIn, events)[0])).toEqual([1, 2, 3, 4, 'request_throttled']);
	});

	test('are not shown without a value or a request id of a flow', () => {
		const events = [event(1, { type: 'xml_converted' }), event(2, { type: 'state_verified', previews: ['other1…'] })];
		expect(itemsOf(groupFlows(signIn, events)[0])).toEqual([1, 2, 3, 4]);
	});
});
