import type { WireResponse } from '#wire/message.ts';
import { respondError } from '../responses.ts';
import type { Context } from '../context.ts';
import type { ProtocolError } from '../errors.ts';
import { prefersJson } from '../negotiation.ts';
import { errorPage } from './error-page.ts';

/** An error as a page, or as JSON if the client prefers it. */
export function respondFormError(context: Context, error: ProtocolError): WireResponse {
	return prefersJson(context.header('accept')) ? respondError(context, error) : errorPage(context, error);
}
