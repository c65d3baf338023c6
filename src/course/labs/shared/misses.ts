import { issued } from '#evidence/exchanges.ts';
import type { Miss } from '../engine/lab.ts';
import { originOf, parameterOf, type Message } from '../engine/message.ts';

/** The first message that a check or rule rejected. @param id of the check or rule */
export const rejectedBy =
	(id: string) =>
	(sent: readonly Message[]): Message | undefined =>
		sent.find(({ rejection }) => rejection?.id === id);

/** The attacker's browser brought the code. */
export const ownExchange: Miss = {
	happened: (sent, { log }) =>
		sent.find(
			(message) =>
				message.entry?.endpoint === 'token' &&
				message.status === 200 &&
				originOf(log, message) === 'attacker' &&
				parameterOf(message, 'code') !== undefined
		)
};

/** A code that was exchanged after its lifetime, and one that was exchanged before. */
export const expired: Miss = { happened: rejectedBy('token.code_not_expired') };
export const codeUsed: Miss = { happened: rejectedBy('token.code_not_used') };

/** The message by which the service issued a code or token of a user to an application. */
export const issuedTo = (
	log: readonly Message[],
	kind: 'code' | 'access_token',
	username: string,
	isClient: (id: string) => boolean
) =>
	log.find(
		({ entry }) =>
			entry !== undefined &&
			issued(entry, kind) !== undefined &&
			entry.username === username &&
			isClient(entry.client_id ?? '')
	);
