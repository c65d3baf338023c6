import { subjectOf, type LabCode } from '../engine/lab.ts';
import { arrivesAtClient, nameOf, parameterOf, secondIssuer, type Message } from '../engine/message.ts';
import { viewerOrigin } from '../engine/viewer-pages.ts';
import { issuedTo, rejectedBy } from './misses.ts';
import { isHeld } from './moves.ts';

/** Of Character Viewer at the attacker's issuer. */
const ownClient = 'viewer-2';

/** The victim's authorization requests that arrive at the attacker's issuer. */
const holds = ({ from, to, url }: Pick<Message, 'from' | 'to' | 'url'>) =>
	from === 'victim' && to === 'second_service' && new URL(url).searchParams.has('client_id');
const isOfVictim = ({ from, to }: Message) => from === 'victim' && to === 'service';

/** A code of Tollgate that the client sent to the attacker's issuer. */
function codeAtSecondIssuer(log: readonly Message[]): Message | undefined {
	const isBrought = (code: string | null) =>
		code !== null &&
		log.some((one) => arrivesAtClient(one) && one.from === 'victim' && parameterOf(one, 'code') === code);
	if (issuedTo(log, 'code', 'player-one', (id) => id === 'viewer') === undefined) return undefined;
	return log.find(
		({ to, url, form }) =>
			to === 'second_service' &&
			url.startsWith(`${secondIssuer}/ws/oauth2/token`) &&
			isBrought(new URLSearchParams(form).get('code'))
	);
}

/** Attacks that begin at an issuer of the attacker, and end with a code of Tollgate at its token endpoint. */
export const secondIssuerLab = {
	world: { hasSecondIssuer: true, holds },
	moves: {
		link: { act: (run) => run.setLink(`${viewerOrigin}/start?issuer=second`) },
		open_as_victim: {
			act(run) {
				run.hold();
				return run.openPage('victim');
			},
			isDone: ({ log }) => log.some((message) => holds(message))
		},
		change_client: {
			isPossible: isHeld,
			act(run) {
				run.change('client_id', 'viewer');
				run.mark('viewer');
			},
			isDone: ({ held, log }) =>
				held?.valueOf('client_id') === 'viewer' ||
				log.some((message) => isOfVictim(message) && parameterOf(message, 'client_id') === 'viewer')
		},
		redirect: {
			isPossible: isHeld,
			act: (run) => run.release({ base: `${run.service.baseUrl}/ws/oauth2/auth/` }),
			isDone: ({ log }) => log.some((message) => isOfVictim(message))
		},
		/** The request goes on at the attacker's issuer, as it is now. */
		release: { act: (run) => run.release() }
	},
	misses: {
		unknown_client: {
			happened: (sent) => rejectedBy('auth.client_known')(sent.filter(({ to }) => to === 'service')),
			cases: { at_issuer: (message) => parameterOf(message, 'client_id') === ownClient }
		},
		stayed: { happened: (sent) => sent.find((message) => holds(message) && message.status === 200) },
		own_sign_in: { happened: (sent) => sent.find((one) => arrivesAtClient(one) && one.from === 'attacker') }
	},
	goal: codeAtSecondIssuer,
	/** What the client knows of each issuer, and what arrived there. */
	subject: subjectOf(['own', 'tollgate', 'client', 'not_seen'], ({ log, service }, word) =>
		(
			[
				{ party: 'second_service', title: word('own'), url: secondIssuer, clientId: ownClient },
				{ party: 'service', title: word('tollgate'), url: service.baseUrl, clientId: 'viewer' }
			] as const
		).map(({ party, title, url, clientId }) => ({
			title,
			note: new URL(url).host,
			isOfAttacker: party === 'second_service',
			facts: [
				{
					label: word('client'),
					...(party === 'second_service' ||
					log.some((one) => one.to === party && parameterOf(one, 'client_id') === clientId)
						? { value: clientId }
						: { note: word('not_seen') })
				},
				...log
					.filter((message) => message.to === party && parameterOf(message, 'interaction') === undefined)
					.map((message) => ({
						label: `${message.method} ${nameOf(message)}`,
						value: parameterOf(message, 'code') ?? parameterOf(message, 'client_id'),
						note: message.outcome,
						tone: message.tone
					}))
			]
		}))
	)
} satisfies Omit<LabCode, 'defenses'>;
