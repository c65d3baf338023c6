import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { fillText } from '#lib/fill-text.ts';
import { subjectOf, type LabCode } from '../engine/lab.ts';
import type { LabRun } from '../engine/lab-run.ts';
import { originOf, readIn, type Message } from '../engine/message.ts';
import { viewerOrigin } from '../engine/viewer-pages.ts';
import { guildBoard, hasCopied, hasReceivedCode, linkToSignIn, visit } from '../shared/moves.ts';

const isOwn = ({ from, entry }: Message) => from === 'attacker' && entry?.endpoint === 'character';
const isOverLimit = ({ rejection }: Message) => rejection?.id === 'rate_limit.not_exceeded';
const ownRejected = (log: readonly Message[]) => log.filter((message) => isOwn(message) && isOverLimit(message));
const isPossible = hasCopied('access_token');

const sendMany = (count: number) => async (run: LabRun) => {
	const url = `${run.service.baseUrl}/ws/v2.0/character/${encodeURIComponent('100% Orc')}`;
	const authorization = `OAuth ${run.copied.get('access_token') ?? ''}`;
	for (let sent = 0; sent < count; sent++) await run.sendAs('attacker', { method: 'GET', url, authorization });
};

const applications = [
	{ id: 'viewer', name: 'viewer', party: 'client' },
	{ id: 'guild-board', name: 'board', party: 'attacker' }
] as const;

export const code: LabCode = {
	/** What each address has left of its limit, and what the applications behind it got. */
	subject: subjectOf(
		['viewer', 'board', 'requests', 'nothing', 'both', 'one', 'counted'],
		({ service: { entries }, clock, log }, word) => {
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
					const silent = sent.filter(({ status }) => status === undefined).length;
					const counts = new Map([
						['sent', sent.length],
						['accepted', accepted],
						['rejected', sent.length - accepted - silent],
						['silent', silent]
					]);
					const note = fillText(word(sent.length === 0 ? 'nothing' : 'counted'), (count) => counts.get(count) ?? 0);
					return { label: word(name), note };
				});
				const [first] = here;
				return [
					{
						title: here.length > 1 ? word('both') : fillText(word('one'), () => (first ? word(first.name) : address)),
						note: word('requests'),
						isOfAttacker: here.every(({ party }) => party === 'attacker'),
						gauge,
						facts
					}
				];
			});
		}
	),
	world: {
		settings: { limits: { character: 50, blacklist_after_refused: 50 } },
		applications: [guildBoard],
		before: visit('victim', `${viewerOrigin}/start`)
	},
	moves: {
		sign_in: {
			act(run) {
				linkToSignIn(run);
				return run.openPage('attacker');
			},
			isDone: hasReceivedCode
		},
		send: { isPossible, act: sendMany(101), isDone: ({ log }) => log.filter(isOwn).length > 100 },
		victim_opens: {
			act: visit('victim', `${viewerOrigin}/`),
			isDone: ({ log }) => log.some(({ from, to }) => from === 'victim' && to === 'client')
		},
		send_few: { isPossible, act: sendMany(20) },
		wait: {
			isPossible,
			async act(run) {
				await sendMany(60)(run);
				run.clock.advance(3600_000);
			}
		}
	},
	misses: {
		under_limit: {
			happened: (sent, { log }) =>
				log.some(isOwn) && !log.some(isOverLimit) ? readIn(sent, 'victim', 'player-one') : undefined,
			values: { sent: (_, { log }) => log.filter(isOwn).length }
		},
		window_over: {
			happened: (sent, { log }) => (ownRejected(log).length > 0 ? readIn(sent, 'victim', 'player-one') : undefined),
			values: { rejected: (_, { log }) => ownRejected(log).length }
		},
		not_banned: {
			happened: (sent, { log }) => sent.find((message) => isOverLimit(message) && originOf(log, message) === 'victim')
		}
	},
	goal: (log) =>
		log.find(
			(message) =>
				message.to === 'service' &&
				message.rejection?.id === 'address.not_blacklisted' &&
				originOf(log, message) === 'victim'
		),
	defenses: {
		right: { addresses: 'each' },
		tooStrict: { settings: { limits: { blacklist_after_refused: 1_000_000 } } },
		noEffect: { settings: { limits: { window: 60 } } }
	}
};
