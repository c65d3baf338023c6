import { answerError, answerJson, answerText, requireMethod } from '../responses.ts';
import { Call } from '../context.ts';
import { ProtocolError } from '../errors.ts';
import { rateLimitRecords } from '../checks/rate-limit.ts';
import { wantsPage } from '../negotiation.ts';
import { errorPage } from '../pages/error-page.ts';
import { answerPage } from '../pages/page.ts';
import { standingContent } from '../pages/ratelimiting-page.ts';
import { endpoint, step } from '../runner.ts';
import { attributed, xmlDocument } from '../xml.ts';
import { rateLimitData, rateLimitElement } from './ratelimits.ts';

/** How often an address may ask, in calls a minute. */
const mostCalls = 60;

const takeMethod = step<Call>('the method is GET', '8.5', (call) => requireMethod(call, 'GET'));

const throttle = step<Call>('the address does not ask too often', '8.5', async (call) => {
	const now = call.now();
	const window = await call.sandbox.area.update('window', `ratelimiting ${call.address}`, (known) =>
		known === undefined
			? { count: 1, refused: 0, expires: now + 60_000 }
			: { ...known, count: known.count + 1, expires: Math.min(known.expires, now + 60_000) }
	);
	call.saw(`call ${window?.count ?? 1} of ${mostCalls} in this minute`);
	if ((window?.count ?? 1) > mostCalls) {
		throw new ProtocolError('rate_limit_exceeded', `Ask at most ${mostCalls} times a minute.`);
	}
});

const answerState = step<Call>('the state of this address', '8.5', async (call) => {
	const ban = await call.sandbox.area.get('ban', call.address);
	const records = await rateLimitRecords(call);
	const state =
		ban !== undefined ? 'blacklisted' : records.some((record) => record.remaining === 0) ? 'limited' : 'counting';
	const support = `${call.sandbox.base_url}/support`;
	const { address } = call;
	const fields = { state, address, ...(ban === undefined ? {} : { reason: ban.reason, since: ban.since }), support };
	const answer = { ...fields, ratelimits: rateLimitData(records) };
	call.saw(`${address}: ${state}`);
	if (wantsPage(call.header('accept'))) {
		const content = standingContent({ address, ban, records, answer, support });
		return answerPage(call, 200, { title: 'Rate limiting · Tollgate', content, wide: true });
	}
	if (call.format === 'xml') {
		const root = attributed('ratelimiting', fields, rateLimitElement(records));
		return answerText(call, 200, 'application/xml; charset=utf-8', xmlDocument(root));
	}
	return answerJson(call, 200, answer);
});

/** `GET /ratelimiting`: the one call that a blacklisted address gets answered (specification, section 8.5); a browser gets a page. */
export const ratelimiting = endpoint(Call, [takeMethod, throttle, answerState], (call, error) =>
	wantsPage(call.header('accept')) ? errorPage(call, error) : answerError(call, error)
);
