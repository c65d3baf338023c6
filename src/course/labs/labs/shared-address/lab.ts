import { defenses } from '../defenses.ts';
import { attackerOrigin } from '../../engine/attacker-site.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import type { Lab, LabAction, LabSubject } from '../../engine/lab.ts';
import type { LabRun } from '../../engine/lab-run.ts';
import { originOf, type Message } from '../../engine/message.ts';
import { readIn } from '../../engine/run-lab.ts';
import { viewerOrigin } from '../../engine/viewer-pages.ts';
import { ask, exchangeReceived, linkToSignIn, receivedCode, signInParties } from '../actions.ts';

const settings = { limits: { character: 50, blacklist_after_refused: 50 } };
const isOwn = ({ from, entry }: Message) => from === 'attacker' && entry?.endpoint === 'character';

async function sendMany(run: LabRun, count: number): Promise<void> {
	const url = `${run.service.baseUrl}/ws/v2.0/character/${encodeURIComponent('100% Orc')}`;
	const authorization = `OAuth ${run.copied.get('access_token') ?? ''}`;
	for (let sent = 0; sent < count; sent++) await run.sendAsAttacker({ method: 'GET', url, authorization });
}

const send = (id: string, count: number): LabAction => ({
	id,
	label: `Send ${count} requests`,
	isPossible: ({ copied }) => copied.has('access_token'),
	act: (run) => sendMany(run, count)
});

const applications = [
	{ id: 'viewer', name: 'Viewer', party: 'client' },
	{ id: 'guild-board', name: 'Guild board', party: 'attacker' }
] as const;

/** What each address has left of its limit, and what the applications behind it got. */
const limits: LabSubject = {
	name: 'Limits',
	cards({ service: { entries }, clock, log }) {
		const addresses = [...new Set(entries.map(({ address }) => address))];
		/** Before its first request: that of the host. */
		const addressOf = (id: string) => entries.find(({ client_id }) => client_id === id)?.address ?? addresses[0];
		return addresses.flatMap((address) => {
			const calls = entries.filter((entry) => entry.endpoint === 'character' && entry.address === address);
			const last = calls.flatMap((entry) => rateLimitOf(entry) ?? []).at(-1);
			if (last === undefined) return [];
			const here = applications.filter(({ id }) => addressOf(id) === address);
			const isOver = last.reset * 1000 <= clock.now();
			const gauge = {
				label: address,
				remaining: isOver ? last.limit : last.remaining,
				limit: last.limit,
				reset: isOver ? undefined : last.reset * 1000,
				noResponse: calls.at(-1)?.response === null
			};
			const facts = here.map(({ name, party }) => {
				const sent = log.filter(({ from, entry }) => from === party && entry?.endpoint === 'character');
				const accepted = sent.filter(({ status }) => status === 200).length;
				const unanswered = sent.filter(({ status }) => status === undefined).length;
				const note = `${sent.length} sent: ${accepted} accepted, ${sent.length - accepted - unanswered} rejected, ${unanswered} without a response`;
				return { label: name, ...(sent.length === 0 ? { note: 'Nothing sent yet' } : { note }) };
			});
			const isOfAttacker = here.every(({ party }) => party === 'attacker');
			const title = here.length > 1 ? 'One address for both' : `Address of ${here[0]?.name ?? 'no application'}`;
			return [{ title, note: 'Requests for characters in an hour', isOfAttacker, gauge, facts }];
		});
	}
};

export const lab: Lab = {
	briefing:
		'Guild board and Character Viewer run at the same host, behind **one address**. Tollgate limits requests by address. Make Character Viewer useless, without touching it.',
	code: {
		file: 'rate-limit.ts of Tollgate',
		line: 3,
		wrong: 'const key = request.address;',
		marked: 'request.address',
		right: 'const key = `${request.client} ${request.address}`;'
	},
	tools: [
		{ kind: 'server', text: 'An application behind the same address' },
		{ kind: 'request', text: 'A tool that sends many requests' }
	],
	parties: signInParties,
	subject: limits,
	world: {
		settings,
		applications: [{ client_id: 'guild-board', name: 'Guild board', redirect_uri: `${attackerOrigin}/callback` }],
		before: async ({ browsers }) => void (await browsers.victim.open(`${viewerOrigin}/start`))
	},
	steps: [
		{
			title: 'Sign in to your own application',
			text: 'Guild board needs a token of your own account. Tollgate lets it read your character.',
			id: 'sign_in',
			label: 'Sign in to Guild board',
			isPossible: () => true,
			async act(run) {
				linkToSignIn(run, 'guild-board');
				await run.openPage('attacker');
			},
			isDone: (run) => receivedCode(run) !== undefined
		},
		{ ...exchangeReceived(), text: 'Your own client exchanges its own code.' },
		{
			title: 'Send 100 requests',
			text: 'An address may send 50 in an hour. After 50 rejected ones it is blacklisted, and gets no response at all.',
			...send('send', 101),
			isDone: ({ log }) => log.filter((message) => isOwn(message)).length > 100
		},
		{
			title: 'Open Character Viewer as the victim',
			text: 'The victim has sent nothing. Look what Character Viewer can show.',
			id: 'victim_opens',
			label: 'Open Character Viewer',
			place: 'victim',
			isPossible: () => true,
			act: async ({ browsers }) => void (await browsers.victim.open(`${viewerOrigin}/`)),
			isDone: ({ log }) => log.some(({ from, to }) => from === 'victim' && to === 'client')
		}
	],
	detours: [
		send('send_few', 20),
		{
			...send('wait', 60),
			label: 'Send 60, wait an hour',
			act: async (run) => {
				await sendMany(run, 60);
				run.clock.advance(3600_000);
			}
		}
	],
	nearMisses: {
		under_limit: {
			happened: (sent, { log }) => {
				const own = log.filter(isOwn);
				const isOver = log.some(({ rejection }) => rejection?.id === 'rate_limit.not_exceeded');
				return own.length > 0 && !isOver ? readIn(sent, 'victim', 'player-one') : undefined;
			},
			text: (_, { log }) =>
				`The victim’s characters are shown. You have sent ${log.filter(isOwn).length} requests, and none was rejected.`,
			look: 'how much is left of the limit.'
		},
		window_over: {
			happened: (sent, { log }) =>
				log.some((message) => isOwn(message) && message.rejection?.id === 'rate_limit.not_exceeded')
					? readIn(sent, 'victim', 'player-one')
					: undefined,
			text: (_, { log }) =>
				`The victim’s characters are shown: a new window has begun. In the one before, ${log.filter((message) => isOwn(message) && message.rejection?.id === 'rate_limit.not_exceeded').length} of your requests were rejected.`,
			look: 'what outlasts a window.'
		},
		not_banned: {
			happened: (sent, { log }) =>
				sent.find(
					(message) => message.rejection?.id === 'rate_limit.not_exceeded' && originOf(log, message) === 'victim'
				),
			text: ({ status }) =>
				`The victim’s request got a response, ${status ?? 0}: the limit is used up, and the address is not blacklisted.`,
			look: 'what Tollgate does with an address that does not stop.'
		}
	},
	goal: {
		text: '**No response** for the victim, who sent nothing before',
		find: (log) =>
			log.find(
				(message) =>
					message.to === 'service' &&
					message.rejection?.id === 'address.not_blacklisted' &&
					originOf(log, message) === 'victim'
			)
	},
	happened: {
		title: 'One address, one fate',
		paragraphs: [
			'Tollgate counts by address, and both applications have the same. Your 101 requests blacklisted **all** that is behind it.',
			'The victim sees an application that does not work, and cannot know why.'
		],
		why: [
			{ isRight: false, text: 'An address is not a client' },
			{ isRight: false, text: 'A ban by address hits everyone behind it' },
			{ isRight: true, text: 'The limit itself protects the service' }
		]
	},
	defense: {
		title: 'Count by client, too',
		text: 'Now your requests use up your own limit. In this sandbox each application has a virtual address for that.',
		others: ['A separate address for each application at the host', 'A limit for each user'],
		world: { addresses: 'each' }
	},
	wrongDefenses: {
		tooStrict: {
			title: 'Never blacklist',
			code: '"blacklist_after_refused": 1000000',
			file: 'Tollgate, settings',
			section: 'RFC 6585 §4',
			text: 'Each request gets a response now. But the limit is still one for all, and you have used it up.',
			world: { settings: { limits: { blacklist_after_refused: 1_000_000 } } }
		},
		noEffect: {
			title: 'Use windows of a minute',
			code: '"window": 60',
			file: 'Tollgate, settings',
			section: 'RFC 6585 §4',
			text: 'The count begins again sooner. A blacklisted address stays so.',
			world: { settings: { limits: { window: 60 } } }
		},
		otherAttack: {
			...defenses.shortTokens,
			text: 'An access token that leaks works for a shorter time. Here each application uses its own.'
		}
	},
	rejected: {
		id: 'rate_limit.not_exceeded',
		title: 'The limit of this client is not exceeded',
		text: 'Check of the authorization server. Only your own application is blacklisted.',
		place: 'authorization server',
		section: 'RFC 6585 §4'
	},
	defended: {
		title: 'Only you are blacklisted',
		text: 'Your requests were rejected, and then got no response. Character Viewer has a separate count, and shows the victim’s characters.'
	},
	remains: [
		{ text: 'An attacker with many applications: a second limit by address, higher than the first' },
		{ text: 'Requests stop at the limit', rule: 'limit.stop_at_zero' }
	],
	ownClient: [
		'Stop at the limit, and wait until it resets: your neighbors share the address.',
		'Behind a shared address, ask the service for a limit by client.'
	],
	hints: [
		'Whose requests does Tollgate count together?',
		'Look at what happens to an address that does not stop at its limit.',
		'Your application can send many requests, once it has a token of your own account.'
	],
	questions: [
		ask(
			'Why not count by client only?',
			['Requests without a valid token have no client', 'They need a limit, too: by address.'],
			['Clients have no name', 'Each has a `client_id`.'],
			['It would be slower', 'A count costs the same for each key.']
		)
	],
	notes: ['A classroom is such an address. So are a mobile network, an office and a cloud region.']
};
