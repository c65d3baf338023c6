import { answerJson } from '../answers.ts';
import { setCookie } from '../authorization/browsers.ts';
import { base64url } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { countGuess } from '../gates/guesses.ts';
import { requireSameOrigin } from '../gates/same-origin.ts';
import { rootSandbox, type Sandbox } from '../sandbox.ts';
import { control, open, type ControlCall } from './control-call.ts';
import { rightOf } from './right.ts';
import type { Directory } from '../directory.ts';
import type { Endpoint } from '../runner.ts';

/** The controls that make, show, reset and delete whole sandboxes. */
export type SandboxControls = Record<'create' | 'show' | 'reset' | 'remove' | 'health', Endpoint>;

/** @param directory where the sandboxes of the service are known */
export function sandboxControls(directory: Directory): SandboxControls {
	return {
		create: open((call) => create(call, directory)),
		show: control((call) => viewOf(call.sandbox)),
		reset: control(async (call) => {
			await directory.reset(call.sandbox);
			return viewOf(call.sandbox);
		}),
		remove: control(async (call) => {
			if (call.sandbox.id === rootSandbox) {
				throw new ProtocolError('forbidden', 'The root sandbox can be reset, not deleted.');
			}
			await directory.remove(call.sandbox.id);
			return { deleted: call.sandbox.id };
		}),
		health: open(() => ({ status: 'ok' }))
	};
}

async function create(call: ControlCall, directory: Directory): Promise<object> {
	if (call.sandbox.id !== rootSandbox) throw new ProtocolError('not_found', 'Sandboxes are created at the origin.');
	requireSameOrigin(call);
	if ((await rightOf(call)) === undefined) await countGuess(call, `create ${call.address}`);
	const key = call.secret(base64url(call.options.random(24)));
	const sandbox = await directory.create(call.options.digest(key));
	setCookie(call, sandbox.id, 'owner', key);
	return answerJson(call, 201, { id: sandbox.id, base_url: sandbox.base_url, key });
}

function viewOf(sandbox: Sandbox): object {
	const { id, base_url, world } = sandbox;
	return {
		id,
		base_url,
		created: world.created,
		clock: { now: sandbox.now(), offset: world.offset },
		settings: world.settings
	};
}
