import type { WireResponse } from '#api/message.ts';
import { respondError } from '../core/responses.ts';
import type { Context } from '../core/context.ts';
import type { ProtocolError } from '../core/errors.ts';
import { prefersJson } from '../core/negotiation.ts';
import { errorPage } from './error-page.ts';

/** An error as a page, or as JSON if the client prefers it. */
export function respondFormError(context: Context, error: ProtocolError): WireResponse {
	return prefersJson(context.header('accept')) ? respondError(context, error) : errorPage(context, error);
}
