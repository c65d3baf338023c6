import type { WireResponse } from '#api/message.ts';
import type { RateLimitList, RateLimitRecord } from '#api/protocol/rate-limits.ts';
import { requireRead, respondError, respondJson, respondText, xmlDocument, xmlElement } from '../core/responses.ts';
import type { Context } from '../core/context.ts';
import { allowOrigins } from '../checks/cors.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { injectFault, injectRateLimit } from '../checks/faults.ts';
import { enforceRateLimit, rateLimitRecords } from '../checks/rate-limit.ts';
import { check, endpoint } from '../core/runner.ts';
import { validateAddressHeader } from '../address/client-address.ts';
import { accessTokenChecks, ResourceContext } from './access-token.ts';

/** The version of the rate limit document's own format (specification, section 9). */
const version = '1.0' as const;

const checkMethod = check<ResourceContext>('ratelimits.method_is_get', (context) => requireRead(context));

const respondRecords = check<ResourceContext>('ratelimits.returned', async (context) => {
	const records = await rateLimitRecords(context);
	context.note(records.map((record) => `${record.pattern} ${record.remaining} of ${record.limit}`).join(', '));
	return respondRateLimits(context, records);
});

/** The rate limit resource, `GET /ws/v2.0/ratelimits` (specification, sections 2.5 and 8.5). */
export const ratelimits = endpoint(
	ResourceContext,
	[
		rejectBlacklisted,
		allowOrigins('GET'),
		...injectRateLimit('ratelimits'),
		enforceRateLimit('ratelimits'),
		...validateAddressHeader,
		injectFault,
		checkMethod,
		...accessTokenChecks,
		respondRecords
	],
	respondError
);

/** The records as data for JSON: the same document that the XML form is. */
export function rateLimitData(records: RateLimitRecord[]): RateLimitList {
	return { version, total: records.length, ratelimit: records };
}

/** The records as an XML element (specification, section 2.5). */
export function rateLimitElement(records: readonly RateLimitRecord[]): string {
	const children = records.map((record) => xmlElement('ratelimit', record)).join('');
	return xmlElement('ratelimits', { version, total: records.length }, children);
}

function respondRateLimits(context: Context, records: RateLimitRecord[]): WireResponse {
	return context.format === 'xml'
		? respondText(context, 200, 'application/xml; charset=utf-8', xmlDocument(rateLimitElement(records)))
		: respondJson(context, 200, { ratelimits: rateLimitData(records) });
}
