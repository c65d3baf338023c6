import { clientErrorMessages } from './client-error-messages.ts';
import type { ClientError } from './oauth/errors.ts';
import { serviceErrorMessages } from './service-error-messages.ts';

/** An error for people to read: what happened, why, and what to do next. */
export type ErrorMessage = {
	readonly title: string;
	readonly reason: string;
	readonly nextStep: string;
	/** Section of the specification. */
	readonly section: string;
	/** What the page can offer as a button. */
	readonly action: 'sign-in' | 'retry' | 'wait' | 'settings' | 'support' | 'none';
};

/** A message as the tables below list it. */
export type ErrorMessageRow = readonly [
	title: string,
	reason: string,
	nextStep: string,
	section: string,
	action: ErrorMessage['action']
];

/** The message for an error, by its code. */
export function describeError({ code }: Pick<ClientError, 'code'>): ErrorMessage {
	const [title, reason, nextStep, section, action] =
		clientErrorMessages.get(code) ?? serviceErrorMessages.get(code) ?? unknownError(code);
	return { title, reason, nextStep, section, action };
}

function unknownError(code: string): ErrorMessageRow {
	return [
		'The service rejected the request',
		`It returned an error code that this app does not know: ${code}.`,
		'Check the request in the client log, then try again.',
		'7',
		'retry'
	];
}
