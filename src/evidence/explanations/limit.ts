import { code, type RuleExplanations } from './explanation.ts';

/** Explanations of the rules about rate limits and failing services. */
export const limitExplanations: RuleExplanations = {
	'limit.stop_at_zero': {
		condition: 'Five requests or more begin after a response with X-RateLimit-Remaining: 0, and are rejected.',
		why: 'Rejected requests count too. Too many of them lead to the blacklist.',
		wrong: code(
			'for (const name of names) {',
			'  const response = await read(name);',
			'  show(response);',
			'  // the headers are not read',
			'}'
		),
		right: code(
			'for (const name of names) {',
			'  const response = await read(name);',
			'  show(response);',
			'  if (remaining(response) === 0) await untilReset(response);',
			'}'
		),
		parallel: code(
			'// left: remaining of the latest response, Infinity before the first',
			'async function readInTurn(name) {',
			'  while (left - underWay <= 0) await nextResponseOrReset();',
			'  underWay += 1; // a request under way counts as used',
			'  const response = await read(name).finally(() => (underWay -= 1));',
			'  left = remaining(response);',
			'  return response;',
			'}'
		),
		standard: {
			condition: 'Five requests or more begin after the last one that the rate limit allows, and are rejected.',
			why: 'Many services extend the wait of clients that go on.',
			parallel: code(
				'// freeAt: the same for all requests',
				'async function readInTurn(name) {',
				'  await until(freeAt);',
				'  const response = await read(name);',
				'  if (response.status !== 429) return response;',
				'  freeAt = Math.max(freeAt, Date.now() + 1000 * retryAfter(response));',
				'  return readInTurn(name);',
				'}'
			),
			right: code(
				'for (const name of names) {',
				'  const response = await read(name);',
				'  show(response);',
				'  if (response.status === 429) await sleep(retryAfter(response));',
				'}'
			)
		}
	},
	'limit.few_refused': {
		condition: '20 requests or more of one window are rejected.',
		why: 'After too many rejected requests the service responds to none of your requests, until you file a ticket.',
		wrong: code(
			'let response = await read(name);',
			'while (response.status === 400) {',
			'  // at once',
			'  response = await read(name);',
			'}'
		),
		right: code(
			'let response = await read(name);',
			'if (isOverLimit(response)) {',
			'  await untilReset(response); // once for all requests',
			'  response = await read(name);',
			'}'
		),
		standard: {
			why: 'The requests are useless, and many services block clients that send them.',
			wrong: code(
				'let response = await read(name);',
				'while (response.status === 429) {',
				'  // at once',
				'  response = await read(name);',
				'}'
			),
			right: code(
				'let response = await read(name);',
				'if (response.status === 429) {',
				'  await sleep(retryAfter(response)); // once for all requests',
				'  response = await read(name);',
				'}'
			)
		}
	},
	'limit.not_a_sign_out': {
		condition:
			'A refresh, a sign-in or a revocation begins within five seconds of a request that the rate limit rejected.',
		why: 'The token is still valid. A client that drops it signs users out whenever they reach the limit.',
		wrong: code(
			'const response = await send(path);',
			'if (response.status >= 400) {',
			'  await refreshed();',
			'  return send(path);',
			'}'
		),
		right: code(
			'const response = await send(path);',
			'if (response.status === 401) {',
			'  await refreshed();',
			'  return send(path);',
			'}'
		)
	},
	'limit.after_reset': {
		condition:
			'In two windows the client pauses, and its next request is rejected more than one second before the reset.',
		why: 'Requests that come too early are rejected, and count.',
		wrong: code('if (isOverLimit(response)) {', '  const seconds = 2;', '  await sleep(seconds * 1000);', '}'),
		right: code(
			'if (isOverLimit(response)) {',
			'  const seconds = reset(response) - date(response) + 1;',
			'  await sleep(seconds * 1000);',
			'}'
		),
		standard: {
			condition:
				'In two windows the client pauses, and its next request is rejected more than one second before the reset. Or it waits for seconds, but not for a date.',
			right: code(
				'if (isOverLimit(response)) {',
				'  const value = response.headers.get("retry-after");',
				'  await sleep(isNaN(value) ? untilDate(value) : value * 1000);',
				'}'
			)
		}
	},
	'limit.paced': {
		condition:
			'In two windows the client sends all allowed requests within the first tenth, and is rejected or back within five seconds of the reset. This is advice only: a client may use its window at once.',
		why: 'After a burst the client has no request left for most of the window, and users who share its address have none either.',
		wrong: code(
			'for (const name of names) {',
			'  const response = await read(name);',
			'  show(response);',
			'  if (remaining(response) === 0) await untilReset(response);',
			'}'
		),
		right: code(
			'for (const name of names) {',
			'  const response = await read(name);',
			'  show(response);',
			'  await sleep(timeToReset(response) / Math.max(1, remaining(response)));',
			'}'
		)
	},
	'limit.cache': {
		condition: 'Five requests or more for the same resource succeed within a minute. This is advice only.',
		why: 'Each request counts for the rate limit, which all users of your address share.',
		wrong: code('async function character(name) {', '  return read(name);', '  // each page view is a request', '}'),
		right: code(
			'async function character(name) {',
			'  return cache.get(name) ??',
			'    cache.set(name, await read(name), { seconds: 60 });',
			'}'
		)
	},
	'limit.back_off': {
		condition:
			'Six requests or more of one target fail, more than users caused. They come so fast, or with pauses so equal, that no usual kind of growing or random pauses explains them. The same holds for refreshes.',
		why: 'A service with trouble gets more requests the longer the trouble lasts.',
		wrong: code(
			'for (let attempt = 0; attempt < 10; attempt++) {',
			'  const response = await read(name);',
			'  if (response.status < 500) return response;',
			'  // and again',
			'}'
		),
		right: code(
			'for (let attempt = 0; attempt < 4; attempt++) {',
			'  const response = await read(name);',
			'  if (response.status < 500) return response;',
			'  await sleep(2 ** attempt * 1000 * (1 + Math.random()));',
			'}'
		)
	},
	'limit.stop_when_blacklisted': {
		condition: 'More than ten requests follow while the service responds to none.',
		why: 'Waiting does not end a blacklist, so the requests are useless, and your users see no reason.',
		wrong: code('try {', '  return await read(name);', '} catch {', '  return character(name); // until it works', '}'),
		right: code(
			'try {',
			'  return await read(name);',
			'} catch {',
			'  return showStatus(await fetch(`${base}/ratelimiting`));',
			'}'
		)
	}
};
