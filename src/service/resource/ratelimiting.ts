import type { RateLimitStatus } from '#api/protocol/rate-limits.ts';
import { patternIn } from '#api/world/pattern-in-world.ts';
import { requireRead, respondError, respondJson, respondText, xmlDocument, xmlElement } from '../core/responses.ts';
import { prefersHtml } from '../core/negotiation.ts';
import { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { rateLimitRecords } from '../checks/rate-limit.ts';
import { errorPage } from '../pages/error-page.ts';
import { pageTitle, respondPage } from '../pages/page.ts';
import { statusContent } from '../pages/ratelimiting-page.ts';
import { check, endpoint } from '../core/runner.ts';
import { validateAddressHeader } from '../address/client-address.ts';
import { rateLimitData, rateLimitElement } from './ratelimits.ts';

/** How often an address may ask, in calls a minute. */
const maxCalls = 60;

const checkMethod = check<Context>('ratelimiting.method_is_get', (context) => requireRead(context));

const throttle = check<Context>('ratelimiting.not_polled_too_often', async (context) => {
	const now = context.now();
	const window = await context.store.update('rate_limit_window', `ratelimiting ${context.networkAddress}`, (known) =>
		known === undefined
			? { count: 1, refused: 0, expires: now + 60_000 }
			: { ...known, count: known.count + 1, expires: Math.min(known.expires, now + 60_000) }
	);
	context.note(`Request ${window?.count ?? 1} of ${maxCalls} in this minute`);
	if ((window?.count ?? 1) > maxCalls) {
		throw new ProtocolError('rate_limit_exceeded', `Too many status requests. Send at most ${maxCalls} per minute.`, {
			received: [`request ${window?.count ?? 1} in this minute`],
			expected: [`at most ${maxCalls} per minute`]
		});
	}
});

const respondStatus = check<Context>('ratelimiting.returned', async (context) => {
	const { status, fields, blacklistEntry, records } = await readRateLimitStatus(context);
	const { address, state, support } = status;
	context.note(`${address}: ${state}`);
	if (prefersHtml(context.header('accept'))) {
		const { path } = context.sandbox.seed.world.resource;
		const named = records.map((record) => ({ ...record, pattern: patternIn(record.pattern, path) }));
		const content = statusContent({ address, blacklistEntry, records: named, status, support });
		return respondPage(context, 200, { title: pageTitle(context, 'Rate limiting'), content });
	}
	if (context.format === 'xml') {
		const root = xmlElement('ratelimiting', fields, rateLimitElement(records));
		return respondText(context, 200, 'application/xml; charset=utf-8', xmlDocument(root));
	}
	return respondJson(context, 200, status);
});

/** The rate limiting status of the address, as `GET /ratelimiting` returns it. */
export async function readRateLimitStatus(context: Context) {
	const { clientAddress: address, sandbox } = context;
	const blacklistEntry = await sandbox.store.get('blacklist_entry', address);
	const records = await rateLimitRecords(context);
	const isLimited = records.some((record) => record.remaining === 0);
	const state: RateLimitStatus['state'] =
		blacklistEntry !== undefined ? 'blacklisted' : isLimited ? 'limited' : 'counting';
	const fields = {
		state,
		address,
		...(blacklistEntry === undefined ? {} : { reason: blacklistEntry.reason, since: blacklistEntry.since }),
		support: `${sandbox.base_url}/console/support`,
		tickets: `${sandbox.base_url}/control/tickets`
	};
	const status: RateLimitStatus = { ...fields, ratelimits: rateLimitData(records) };
	return { fields, status, blacklistEntry, records };
}

/** `GET /ratelimiting`: the one endpoint that responds to a blacklisted address (specification, section 8.5). Browsers get a page. */
export const ratelimiting = endpoint(
	Context,
	[checkMethod, throttle, ...validateAddressHeader, respondStatus],
	(context, error) => (prefersHtml(context.header('accept')) ? errorPage(context, error) : respondError(context, error))
);
