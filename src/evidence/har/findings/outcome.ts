import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { isRejected } from './callback-causes.ts';
import {
	findingOf,
	hasResponded,
	isMessage,
	isOk,
	locationOf,
	received,
	responseHeaderOf,
	sent,
	type ForeignFlow,
	type ForeignRun
} from './foreign-run.ts';

/** A body that says with status 200 that something failed. */
const failure = /"(?:error|errors|message)":|"(?:ok|success)":false/;

/** Whether a response begins a session. One that ends another cookie does not. */
const setsCookie = (one: ForeignExchange) =>
	(responseHeaderOf(one, 'set-cookie') ?? '')
		.split('\n')
		.some((cookie) => cookie !== '' && !/max-age=(?:0|-)|expires=thu, 01.jan.1970/i.test(cookie));

/** What shows that a sign-in worked. Undefined: nothing does. */
function proofOf({ callbacks, tokens, relays, pages }: ForeignFlow): string | undefined {
	if (tokens.some((one) => isOk(one) && received(one, 'access_token') !== undefined)) return 'The client got a token.';
	if (relays.some((one) => isOk(one) && !failure.test(one.entry.response?.body ?? '')))
		return 'The server of the application accepted the code.';
	if (callbacks.some((one) => sent(one, 'access_token') !== undefined)) return 'The application got a token.';
	if (pages.some((one) => isMessage(one) && received(one, 'code') !== undefined)) return undefined;
	const accepted = callbacks.find(
		(one) => sent(one, 'code') !== undefined && !isRejected(one) && (locationOf(one) !== undefined || setsCookie(one))
	);
	return accepted === undefined ? undefined : 'The application accepted the callback.';
}

/**
 * Whether the last sign-in of a file worked. It is never assumed: without a proof, the finding says what is missing. Nothing is said
 * of a file without a sign-in, or of one that failed.
 */
export function outcomeFinding({ flows, all, of }: ForeignRun): ForeignFinding[] {
	const begun = flows.filter(({ pages, callbacks, tokens }) => pages.length + callbacks.length + tokens.length > 0);
	const lastOf = ({ pages, callbacks, tokens, relays }: ForeignFlow) =>
		Math.max(...[...pages, ...callbacks, ...tokens, ...relays].map(({ entry }) => entry.seq));
	const last = begun.toSorted((one, other) => lastOf(one) - lastOf(other)).at(-1);
	if (last === undefined) return [];
	const proof = proofOf(last);
	const exchanges = [last.authorization, ...last.callbacks, ...last.tokens, ...last.relays];
	if (proof !== undefined) return [findingOf('shown', 'file.outcome', exchanges, proof)];
	const after = of('resource', 'userinfo').some(
		(one) => isOk(one) && one.entry.seq > (last.callbacks[0]?.entry.seq ?? Infinity)
	);
	if (after) return [findingOf('shown', 'file.outcome', exchanges, 'A call with a token worked after the callback.')];
	const needs = hasResponded(last) ? 'what the client did with the response' : 'a sign-in that ends';
	const where = hasResponded(last)
		? 'The application got a response, and the file does not show what came of it.'
		: `The file ends before the provider sends a response${all.at(-1) === last.pages.at(-1) ? ', at a page of the provider' : ''}.`;
	return [findingOf('not_shown', 'file.outcome', exchanges, `Not shown. ${where}`, { needs })];
}
