import { clientErrorMessages } from './client-error-messages.ts';
import type { ErrorMessage, ErrorMessageRow } from './error-message.ts';
import type { ClientError } from './oauth/client-error.ts';
import { serviceErrorMessages } from './service-error-messages.ts';

/** The message for an error, by its code. */
export function describeError({ code }: Pick<ClientError, 'code'>): ErrorMessage {
	const [title, reason, nextStep, section, action] =
		clientErrorMessages.get(code) ?? serviceErrorMessages.get(code) ?? unknownError(code);
	return { title, reason, nextStep, section, action };
}

function unknownError(code: string): ErrorMessageRow {
	return [
		'The service rejected the request',
		`It returned an error code that this application does not know: ${code}.`,
		'Check the request in the client log, then try again.',
		'7',
		'retry'
	];
}
