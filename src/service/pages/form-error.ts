import type { WireResponse } from '#wire/message.ts';
import { answerError } from '../responses.ts';
import type { Call } from '../context.ts';
import type { ProtocolError } from '../errors.ts';
import { wantsData } from '../negotiation.ts';
import { errorPage } from './error-page.ts';

/** A refusal on a page for a person, as data for a program. */
export function answerFormError(call: Call, error: ProtocolError): WireResponse {
	return wantsData(call.header('accept')) ? answerError(call, error) : errorPage(call, error);
}
