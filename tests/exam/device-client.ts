import * as v from 'valibot';
import { rulesIn } from '#evidence/provider-rules.ts';
import { evaluateRules } from '#evidence/rule.ts';
import { buildRun } from '#evidence/run.ts';
import type { Sandbox } from '../conformance/sandbox.ts';
import { readEntries } from '../features/inspector/entries.ts';
import { createTestService } from '../service/test-service.ts';

const client_id = 'pocket-companion';
const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
const codesSchema = v.object({ device_code: v.string(), user_code: v.string(), interval: v.number() });

/** What a device does, unless it is right. */
export type DeviceMistake =
	| 'fixed interval'
	| 'ignores slow_down'
	| 'polls after the end'
	| 'adds 5 seconds after polling too fast';
/** What its user does, and when. In seconds after the device asked. */
export type User = { readonly decision: 'approve' | 'deny'; readonly after: number } | 'never';

/** Runs a device against a service with its own clock. Returns the verdicts of the rules about devices. */
export async function examineDevice(mistakes: readonly DeviceMistake[], user: User): Promise<Record<string, string>> {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.changeSettings({ dialect: 'standard' });
	const { device_code, user_code, ...codes } = v.parse(
		codesSchema,
		(await at.post('/ws/oauth2/device_authorization', { client_id })).json()
	);
	const has = (mistake: DeviceMistake) => mistakes.includes(mistake);
	const isFast = has('fixed interval') || has('ignores slow_down') || has('adds 5 seconds after polling too fast');
	let interval = isFast ? 2 : codes.interval;
	const begin = tested.clock;
	let isDecided = false;
	let left = has('polls after the end') ? 3 : 0;
	while (left >= 0) {
		tested.clock += interval * 1000;
		if (user !== 'never' && !isDecided && tested.clock >= begin + user.after * 1000) {
			isDecided = true;
			await decide(at, user_code, user.decision);
		}
		const response = await at.token({ grant_type, device_code, client_id });
		const error = response.status === 200 ? undefined : response.error;
		if (error === 'slow_down' && !has('ignores slow_down') && !has('fixed interval')) interval += 5;
		if (error !== 'slow_down' && error !== 'authorization_pending') left--;
	}
	const entries = await readEntries(at);
	const rules = rulesIn('standard').filter(({ area }) => area === 'device');
	return Object.fromEntries(evaluateRules(rules, buildRun(entries)).map(({ rule, verdict }) => [rule, verdict]));
}

async function decide(at: Sandbox, user_code: string, decision: string): Promise<void> {
	const user = at.user();
	await user.signIn();
	const page = await user.open(`/ws/oauth2/device?user_code=${user_code}`);
	await user.post('/ws/oauth2/device', { csrf_token: page.hidden('csrf_token'), user_code, decision });
}
