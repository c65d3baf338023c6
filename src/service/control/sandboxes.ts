import { StoreFull } from '#store/store.ts';
import { answerJson } from '../responses.ts';
import { setCookie } from '../authorization/session-cookie.ts';
import { base64url } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { countGuess } from '../checks/attempt-limits.ts';
import { requireSameOrigin } from '../checks/same-origin.ts';
import { mostSandboxes } from '../record-limits.ts';
import { rootSandbox } from '../records.ts';
import type { Sandbox } from '../sandbox.ts';
import { control, open, type ControlCall } from './control-endpoint.ts';
import { rightOf } from './control-access.ts';
import type { Directory } from '../sandbox-registry.ts';
import type { Endpoint } from '../runner.ts';

/** The controls that make, list, show, reset and delete whole sandboxes. */
export type SandboxControls = Record<
	'create' | 'list' | 'removeAny' | 'show' | 'reset' | 'remove' | 'health',
	Endpoint
>;

/** @param directory where the sandboxes of the service are known */
export function sandboxControls(directory: Directory): SandboxControls {
	return {
		create: open((call) => create(call, directory)),
		list: control(async (call) => {
			atOrigin(call);
			return { sandboxes: await directory.list(), most: mostSandboxes };
		}),
		removeAny: control(async (call) => {
			atOrigin(call);
			const id = call.segments[1] ?? '';
			if (!(await directory.remove(id))) throw new ProtocolError('not_found', 'There is no sandbox with this id.');
			return { deleted: id };
		}),
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
	atOrigin(call);
	requireSameOrigin(call);
	if ((await rightOf(call)) === undefined) await countGuess(call, `create ${call.address}`);
	const key = call.secret(base64url(call.options.random(24)));
	const sandbox = await directory.create(call.options.digest(key), call.address).catch((fault: unknown) => {
		throw fault instanceof StoreFull ? allInUse() : fault;
	});
	setCookie(call, sandbox.id, 'owner', key);
	return answerJson(call, 201, { id: sandbox.id, base_url: sandbox.base_url, key });
}

function atOrigin(call: ControlCall): void {
	if (call.sandbox.id === rootSandbox) return;
	throw new ProtocolError('not_found', 'Sandboxes are made, listed and deleted by their ids at the origin.');
}

function allInUse(): ProtocolError {
	return new ProtocolError(
		'limit_reached',
		`All ${mostSandboxes} sandboxes of this server are in use. Idle ones give way: try again in half an hour, or ask whoever runs the server to delete some.`
	);
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
