import { expect, test } from 'vitest';
import { check, type Check, endpoint, inSandboxes, whenStandard } from '#service/core/runner.ts';
import { Context } from '#service/core/context.ts';
import { ProtocolError } from '#service/core/errors.ts';
import { respondError } from '#service/core/responses.ts';
import { contextInit } from '../context-init.ts';

const init = contextInit();
const pass: Check<Context> = check('token.form_is_valid', () => undefined);
const other: Check<Context> = check('token.code_known', () => undefined);
const fail: Check<Context> = check('token.code_present', () => {
	throw new ProtocolError('invalid_request', 'No code.');
});

/** The ids of the checks that ran for a request. */
async function ran(of: ReturnType<typeof endpoint>): Promise<string[]> {
	const { context, respond } = of.open(init);
	await respond();
	return context.trace.map(({ id }) => id);
}

test('a condition on the sandbox is asked once a request, and decides about all its checks', async () => {
	let isHeld = false;
	let asked = 0;
	const condition = () => {
		asked += 1;
		return isHeld;
	};
	const tested = endpoint(Context, [...inSandboxes(condition, [pass, other]), fail], respondError);
	expect(await ran(tested)).toEqual([fail.id]);
	isHeld = true;
	expect(await ran(tested)).toEqual([pass.id, other.id, fail.id]);
	expect(asked).toBe(2);
});

test('what only today’s standards have does not run in the dialect of the specification', async () => {
	expect(await ran(endpoint(Context, [...whenStandard(() => true, [pass]), fail], respondError))).toEqual([fail.id]);
});

test('the last checks are those of the list that is chosen once the others have passed', async () => {
	const lists = { short: [fail], long: [other, fail] };
	const choose = () => 'long' as const;
	expect(await ran(endpoint(Context, [pass], respondError, { choose, lists }))).toEqual([pass.id, other.id, fail.id]);
	expect(await ran(endpoint(Context, [fail], respondError, { choose, lists }))).toEqual([fail.id]);
});
