import { expect, test } from 'vitest';
import { flowOptions, shownFlow } from '#features/inspector/flow-choice.ts';
import { flowMessages, type FlowMessage } from '#features/inspector/flow-messages.ts';
import { describeOutcome } from '#evidence/describe-exchange.ts';
import { followValue } from '#features/inspector/values.ts';
import { toMermaid } from '#features/inspector/diagram/diagram-export.ts';
import { createTestService } from '../../service/test-service.ts';
import { readEntries } from './entries.ts';
import { timelineEntry } from './timeline-entry.ts';

const arrows = (messages: readonly FlowMessage[]) =>
	messages.map(({ from, to, label, isSeen }) => `${from} → ${to}: ${label}${isSeen ? '' : ' *'}`);

test('turns a sign-in, an exchange and a call into messages, with what the service did not see', async () => {
	const at = await createTestService().sandbox();
	const { access_token } = await at.user().offline(at.viewer, { state: 'abcdefghijklmnop' });
	await at.character(access_token);
	expect(arrows(flowMessages(await readEntries(at), 'character'))).toEqual([
		'application → browser: redirect to the authorization endpoint *',
		'browser → authorization: GET /ws/oauth2/auth/',
		'authorization → browser: 200 Sign in page',
		'user → browser: enters user name and password *',
		'browser → authorization: POST /ws/oauth2/auth/',
		'authorization → browser: 303 to the next page',
		'browser → authorization: GET /ws/oauth2/auth/',
		'authorization → browser: 200 Allow access? page',
		'user → browser: allows access *',
		'browser → authorization: POST /ws/oauth2/auth/',
		'authorization → browser: 303 code, state',
		'browser → application: GET /viewer/callback *',
		'application → authorization: POST /ws/oauth2/token/ authorization_code',
		'authorization → application: 200 access_token, refresh_token',
		'application → resource: GET /ws/v2.0/character/Mara%20Vell',
		'resource → application: 200 599 requests left'
	]);
});

test('draws what the browser loads from the browser, also a path that the API does not have', async () => {
	const at = await createTestService().sandbox();
	const { access_token } = await at.user().tokens();
	await at.get(`/ws/v2.0/character/Mara%20Vell?access_token=${access_token}`, 'Sec-Fetch-Dest', 'document');
	await at.get('/ws/v2.0/image.png', 'Sec-Fetch-Dest', 'image');
	const sent = flowMessages(await readEntries(at), 'character').filter(({ text }) => /sec-fetch-dest/i.test(text));
	expect(sent.map(({ from, to }) => `${from} → ${to}`)).toEqual(['browser → resource', 'browser → resource']);
});

test('marks rejections, denials and missing responses', async () => {
	const at = await createTestService().sandbox();
	const user = at.user();
	await user.decide(await user.openConsent(), 'deny');
	await at.exchange('A'.repeat(43));
	const rejected = flowMessages(await readEntries(at), 'character').filter(({ isRejected }) => isRejected);
	expect(arrows(rejected)).toEqual([
		'browser → application: GET /viewer/callback · access_denied *',
		'authorization → application: 400 invalid_grant · unknown code'
	]);
});

test('says of a response what the timeline says, in the words of the world', async () => {
	const at = await createTestService().sandbox();
	const { access_token } = await at.user().tokens();
	await at.character(access_token, 'Absent');
	const entries = await readEntries(at);
	expect(flowMessages(entries, 'invoice').at(-1)?.label).toBe('404 No such invoice');
	expect(describeOutcome(entries[entries.length - 1] ?? timelineEntry(1), 'invoice').text).toBe('No such invoice');
});

test('marks an error with the status of a success, as the timeline does', () => {
	const response = { status: 200, headers: [], body: '{"error":"bad_verification_code"}' };
	const entry = timelineEntry(1, { response });
	expect(describeOutcome(entry).kind).toBe('rejected');
	expect(flowMessages([entry], 'user').find(({ isReply }) => isReply)?.isRejected).toBe(true);
});

test('shows how the code of an installed application reaches it', async () => {
	const at = await createTestService().sandbox();
	await at.user().code(at.companion);
	expect(arrows(flowMessages(await readEntries(at), 'character')).slice(-2)).toEqual([
		'authorization → browser: 200 page with the code',
		'browser → application: code, from the page or by hand *'
	]);
});

test('chooses the flow of the selected exchange, else the newest', async () => {
	const at = await createTestService().sandbox();
	await at.user().code();
	await at.user().code(at.companion);
	await at.exchange('A'.repeat(43));
	const entries = await readEntries(at);
	const options = flowOptions(entries);
	expect(options.map(({ label }) => label.replace(/^\d\d:\d\d:\d\d/, 'time'))).toEqual([
		'time · pocket-companion · player-one',
		'time · character-viewer · player-one',
		'Requests without a flow'
	]);
	expect(shownFlow(entries, undefined)).toBe(options[0]?.flow);
	expect(shownFlow(entries, entries[0])).toBe(options[1]?.flow);
	expect(shownFlow(entries, entries.at(-1))).toBe('');
});

test('follows a code from its creation to its second use, and a token to its end', async () => {
	const at = await createTestService().sandbox();
	const code = await at.user().code(at.viewer, { state: 'abcdefghijklmnop' });
	const { access_token } = (await at.exchange(code)).tokens;
	await at.character(access_token);
	await at.exchange(code);
	await at.character(access_token);
	const entries = await readEntries(at);
	const messages = flowMessages(entries, 'character');
	const follow = (value: string) => {
		const uses = followValue(messages, entries, value);
		return messages.flatMap(({ id, label }) => (uses.has(id) ? [`${label}: ${uses.get(id)}`] : []));
	};
	expect(follow('code 1')).toEqual([
		'303 code, state: created',
		'GET /viewer/callback: sent',
		'POST /ws/oauth2/token/ authorization_code: sent',
		'200 access_token: used up',
		'POST /ws/oauth2/token/ authorization_code: sent',
		'400 invalid_grant · code used twice: rejected'
	]);
	expect(follow('access token 1')).toEqual([
		'200 access_token: created',
		'GET /ws/v2.0/character/Mara%20Vell: sent',
		'200 599 requests left: checked',
		'400 invalid_grant · code used twice: ended',
		'GET /ws/v2.0/character/Mara%20Vell: sent',
		'401 invalid_token · access token revoked: rejected'
	]);
	expect(follow('state 1').slice(0, 2)).toEqual([
		'redirect to the authorization endpoint: created',
		'GET /ws/oauth2/auth/: sent'
	]);
	expect(follow(at.viewer.redirect_uri)).toContain('POST /ws/oauth2/token/ authorization_code: sent');
});

test('puts the events of our own client where they happened', async () => {
	const at = await createTestService().sandbox();
	await at.user().tokens(at.viewer, { state: 'of this sign-in, long enough' });
	const entries = await readEntries(at);
	const values = entries
		.flatMap((entry) => entry.values)
		.filter(({ label }) => label === 'state 1')
		.slice(0, 1);
	const event = (id: number, after: number, message: string) => ({
		after,
		values,
		event: { id, seq: id, at: 0, kind: 'event' as const, message, fields: [], source: 'viewer' }
	});
	const [first = 0] = entries.map(({ seq }) => seq);
	const events = [event(1, first - 1, 'State created'), event(2, first + 3, 'State verified')];
	const messages = flowMessages(entries, 'character', events);
	const labels = messages.map(({ label }) => label);
	const uses = followValue(messages, entries, 'state 1');
	const useOf = (label: string) => uses.get(messages.find((message) => message.label === label)?.id ?? '');
	expect(['State created', 'State verified'].map(useOf)).toEqual(['created', 'checked']);
	expect(labels[0]).toBe('State created');
	expect(labels.at(labels.indexOf('State verified') - 1)).toBe('GET /viewer/callback');
	expect(labels.at(labels.indexOf('State verified') + 1)).toBe('POST /ws/oauth2/token/ authorization_code');
});

test('writes a Mermaid diagram without syntax from messages', () => {
	const message = { exchange: 'x', isReply: false, isRejected: false, isSeen: true, text: '', values: [] };
	const text = toMermaid([
		{ ...message, id: '1', from: 'user', to: 'browser', label: 'allows access', isSeen: false },
		{ ...message, id: '2', from: 'application', to: 'resource', label: 'GET /a;b#c%%\nend <script>' },
		{ ...message, id: '3', from: 'resource', to: 'application', label: '429', isReply: true, isRejected: true },
		{ ...message, id: '4', from: 'application', to: 'application', label: 'State verified' }
	]);
	expect(text.split('\n')).toEqual([
		'sequenceDiagram',
		'\tactor user as User',
		'\tparticipant browser as Browser',
		'\tparticipant application as Application',
		'\tparticipant resource as Resource server',
		'\tuser->>browser: allows access (not seen by the service)',
		'\tapplication->>resource: GET /a#59;b#35;c#37;#37; end #60;script#62;',
		'\tresource--xapplication: 429',
		'\tNote over application: State verified',
		''
	]);
});
