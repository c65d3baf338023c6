import type { WireResponse } from '#wire/message.ts';
import { answerError, answerText, requireMethod } from '../responses.ts';
import type { Call } from '../context.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { allowOrigins } from '../checks/cors.ts';
import { injectFault } from '../checks/faults.ts';
import { countCall, rateLimitRecords, type RateLimitRecord } from '../checks/rate-limit.ts';
import { endpoint, step } from '../runner.ts';
import { attributed, xmlDocument } from '../xml.ts';
import { checkToken, readCredential, ResourceCall } from './access-token.ts';

/** The version of the rate limit document's own format (specification, section 9). */
const version = '1.0';

const takeMethod = step<ResourceCall>('the method is GET', '4', (call) => requireMethod(call, 'GET'));

const answerRecords = step<ResourceCall>('the records of this address', '2.5', async (call) => {
	const records = await rateLimitRecords(call);
	call.saw(records.map((record) => `${record.pattern} ${record.remaining} of ${record.limit}`).join(', '));
	return answerRateLimits(call, records);
});

/** The rate limit resource, `GET /ws/v2.0/ratelimits` (specification, sections 2.5 and 8.5). */
export const ratelimits = endpoint(
	ResourceCall,
	[
		refuseBlacklisted,
		allowOrigins('GET'),
		countCall('ratelimits'),
		injectFault,
		takeMethod,
		readCredential,
		checkToken,
		answerRecords
	],
	answerError
);

/** The records as data for JSON: the same document that the XML form is. */
export function rateLimitData(records: readonly RateLimitRecord[]): object {
	return { version, total: records.length, ratelimit: records };
}

/** The records as an XML element (specification, section 2.5). */
export function rateLimitElement(records: readonly RateLimitRecord[]): string {
	const children = records.map((record) => attributed('ratelimit', record)).join('');
	return attributed('ratelimits', { version, total: records.length }, children);
}

function answerRateLimits(call: Call, records: readonly RateLimitRecord[]): WireResponse {
	return call.format === 'xml'
		? answerText(call, 200, 'application/xml; charset=utf-8', xmlDocument(rateLimitElement(records)))
		: answerText(call, 200, 'application/json; charset=utf-8', JSON.stringify({ ratelimits: rateLimitData(records) }));
}
