import { secondIssuer } from '../engine/lab-run.ts';
import type { Lab, LabAction, LabStep, LabSubject } from '../engine/lab.ts';
import { nameOf, parameterOf, type Message } from '../engine/message.ts';
import { viewerOrigin } from '../engine/viewer-pages.ts';
import { issuedTo, isCallback, openAsVictim, rejectedBy, signInSelf, valueIn } from './actions.ts';

/** Of Character Viewer at the attacker's issuer. */
const ownClient = 'viewer-2';

/** The victim's authorization requests that arrive at the attacker's issuer. */
export const holdsAtSecondIssuer = ({ from, to, url }: Pick<Message, 'from' | 'to' | 'url'>) =>
	from === 'victim' && to === 'second_service' && new URL(url).searchParams.has('client_id');

/** Attacks that begin at an issuer of the attacker, and end with a code of Tollgate at its token endpoint. */
const steps: readonly LabStep[] = [
	{
		title: 'Link to a sign-in with your issuer',
		text: 'Character Viewer lets its users choose where they sign in. Put a link on your page that starts a sign-in with your own issuer, and wait for the victim.',
		id: 'link',
		label: 'Put the link on my page',
		isPossible: () => true,
		act: (run) => run.setLink(`${viewerOrigin}/start?issuer=second`),
		isDone: ({ link }) => link !== undefined
	},
	{
		text: 'The victim opens the link. Character Viewer redirects to your issuer, and remembers that this sign-in is **yours**.',
		...openAsVictim,
		async act(run) {
			run.hold();
			await run.openPage('victim');
		},
		isDone: ({ log }) => log.some((message) => holdsAtSecondIssuer(message))
	},
	{
		title: 'Change `client_id`',
		text: 'The request has arrived at your server. Character Viewer has another `client_id` at Tollgate, which is public. Insert it.',
		id: 'change_client',
		place: 'held',
		label: 'Insert the client_id at Tollgate',
		isPossible: ({ held }) => held !== undefined,
		act(run) {
			run.change('client_id', 'viewer');
			run.mark('viewer');
		},
		isDone: ({ held, log }) =>
			held?.valueOf('client_id') === 'viewer' ||
			log.some(
				(message) =>
					message.from === 'victim' && message.to === 'service' && parameterOf(message, 'client_id') === 'viewer'
			)
	},
	{
		title: 'Redirect the victim to Tollgate',
		text: 'Your server responds with a redirect to the real authorization endpoint. The victim signs in there, and allows Character Viewer.',
		id: 'redirect',
		place: 'held',
		label: 'Redirect to Tollgate',
		isPossible: ({ held }) => held !== undefined,
		act: (run) => run.release({ base: `${run.service.baseUrl}/ws/oauth2/auth/` }),
		isDone: ({ log }) => log.some(({ from, to }) => from === 'victim' && to === 'service')
	}
];

/** Lets the request go on at the attacker's issuer. */
const stay: LabAction = {
	id: 'release',
	place: 'held',
	label: 'Release unchanged',
	isPossible: ({ held }) => held !== undefined,
	act: (run) => run.release()
};

/** A code of Tollgate that the client sent to the attacker's issuer. */
export function codeAtSecondIssuer(log: readonly Message[]): Message | undefined {
	const isBrought = (code: string | null) =>
		log.some(
			(message) =>
				isCallback(message) && message.from === 'victim' && code !== null && parameterOf(message, 'code') === code
		);
	if (issuedTo(log, 'code', 'player-one', (id) => id === 'viewer') === undefined) return undefined;
	return log.find(
		({ to, url, form }) =>
			to === 'second_service' &&
			url.startsWith(`${secondIssuer}/ws/oauth2/token`) &&
			isBrought(new URLSearchParams(form).get('code'))
	);
}

/** Two issuers: what the client knows of each, and what arrived there. */
const subject: LabSubject = {
	name: 'Issuers',
	cards: ({ log, service }) =>
		(
			[
				{ party: 'second_service', title: 'Your issuer', url: secondIssuer, clientId: ownClient },
				{ party: 'service', title: 'Tollgate', url: service.baseUrl, clientId: 'viewer' }
			] as const
		).map(({ party, title, url, clientId }) => ({
			title,
			note: new URL(url).host,
			isOfAttacker: party === 'second_service',
			facts: [
				{
					label: 'client_id of Viewer',
					...(party === 'second_service' ||
					log.some((one) => one.to === party && parameterOf(one, 'client_id') === clientId)
						? { value: clientId }
						: { note: 'Not seen yet' })
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
};

/** What the labs with an issuer of the attacker have in common. */
export const secondIssuerLab = {
	parties: [
		{ party: 'attacker', name: 'You' },
		{ party: 'victim', name: 'Victim' },
		{ party: 'client', name: 'Viewer' },
		{ party: 'second_service', name: 'Your issuer' },
		{ party: 'service', name: 'Tollgate' }
	],
	subject,
	steps,
	detours: [stay, signInSelf],
	nearMisses: {
		unknown_client: {
			happened: (sent) => rejectedBy('auth.client_known')(sent.filter(({ to }) => to === 'service')),
			text: (message) =>
				parameterOf(message, 'client_id') === ownClient
					? `Tollgate has no client \`${ownClient}\`. That is the name of Character Viewer **at your issuer**.`
					: `Tollgate has no client ${valueIn(message, 'client_id')}.`,
			look: 'a sign-in at Tollgate that you start yourself.'
		},
		stayed: {
			happened: (sent) => sent.find((message) => holdsAtSecondIssuer(message) && message.status === 200),
			text: (message) =>
				`The request with ${valueIn(message, 'client_id')} ended at your issuer. The victim sees its sign-in page, and Tollgate saw nothing.`,
			look: 'the lane where the request ended.'
		},
		own_sign_in: {
			happened: (sent) => sent.find((message) => isCallback(message) && message.from === 'attacker'),
			text: (message) =>
				`The code ${valueIn(message, 'code')} is of player-three: you signed in yourself, and Character Viewer sent it to Tollgate.`,
			look: 'the `client_id` of your own request to Tollgate.'
		}
	}
} satisfies Partial<Lab>;
