import type { WireResponse } from '#wire/message.ts';
import { answerError } from '../answers.ts';
import type { Call } from '../call.ts';
import type { ProtocolError } from '../errors.ts';
import { wantsData } from '../negotiation.ts';
import { errorPage } from '../pages/error.ts';

/** A refusal on a page for a person, as data for a program. */
export function answerFormError(call: Call, error: ProtocolError): WireResponse {
	return wantsData(call.header('accept')) ? answerError(call, error) : errorPage(call, error);
}
