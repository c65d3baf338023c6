import { code, type RuleExplanations } from './explanation.ts';

/** Explanations of the rules about devices. */
export const deviceExplanations: RuleExplanations = {
	'device.interval': {
		condition: 'A poll of a device arrives before the interval since its last poll has passed.',
		why: 'Thousands of devices poll at the same time, and the service must slow down those that do not wait.',
		wrong: code(
			'const codes = await post(device_authorization_endpoint, { client_id });',
			'let tokens;',
			'while (tokens === undefined) {',
			'  await sleep(1000);',
			'  tokens = await poll(codes.device_code);',
			'}'
		),
		right: code(
			'const codes = await post(device_authorization_endpoint, { client_id });',
			'let tokens;',
			'while (tokens === undefined) {',
			'  await sleep((codes.interval ?? 5) * 1000);',
			'  tokens = await poll(codes.device_code);',
			'}'
		)
	},
	'device.slow_down': {
		condition: 'After slow_down, another poll of the same device arrives before the longer interval has passed.',
		why: 'Each slow_down makes the interval 5 seconds longer, so a device that keeps its own gets no token.',
		wrong: code(
			'const { error } = await poll(device_code);',
			'if (error === "slow_down") {',
			'  // as authorization_pending',
			'}',
			'await sleep(interval * 1000);'
		),
		right: code(
			'const { error } = await poll(device_code);',
			'if (error === "slow_down") {',
			'  interval += 5;',
			'}',
			'await sleep(interval * 1000);'
		)
	},
	'device.end': {
		condition: 'A device polls again after it got tokens, a denial, or the end of its codes.',
		why: 'No later poll can succeed, and a device without an end polls for as long as it is switched on.',
		wrong: code(
			'let tokens;',
			'while (tokens?.access_token === undefined) {',
			'  await sleep(interval * 1000);',
			'  tokens = await poll(device_code);',
			'}'
		),
		right: code(
			'let tokens = { error: "authorization_pending" };',
			'while (isWaiting(tokens.error)) {',
			'  await sleep(interval * 1000);',
			'  tokens = await poll(device_code);',
			'}'
		)
	}
};
