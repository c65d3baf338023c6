import { respondJson } from '../responses.ts';
import { setCookie } from '../authorization/session-cookie.ts';
import { base64url } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { requireSameOrigin } from '../checks/same-origin.ts';
import { maxSandboxes } from '../record-limits.ts';
import { rootSandbox } from '../records.ts';
import type { Sandbox } from '../sandbox.ts';
import { protectedEndpoint, publicEndpoint, type ControlContext } from './control-endpoint.ts';
import { findAccess } from './control-access.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import type { Endpoint } from '../runner.ts';

/** The controls that make, list, show, reset and delete whole sandboxes. */
export type SandboxEndpoints = Record<
	'create' | 'list' | 'removeById' | 'show' | 'reset' | 'remove' | 'health',
	Endpoint
>;

/** @param directory where the sandboxes of the service are known */
export function sandboxEndpoints(directory: SandboxRegistry): SandboxEndpoints {
	return {
		create: publicEndpoint((context) => create(context, directory)),
		list: protectedEndpoint(async (context) => {
			requireRootSandbox(context);
			return { sandboxes: await directory.list(), max: maxSandboxes };
		}),
		removeById: protectedEndpoint(async (context) => {
			requireRootSandbox(context);
			const id = context.segments[1] ?? '';
			if (!(await directory.remove(id))) throw new ProtocolError('not_found', 'There is no sandbox with this id.');
			return { deleted: id };
		}),
		show: protectedEndpoint((context) => viewOf(context.sandbox)),
		reset: protectedEndpoint(async (context) => {
			await directory.reset(context.sandbox);
			return viewOf(context.sandbox);
		}),
		remove: protectedEndpoint(async (context) => {
			if (context.sandbox.id === rootSandbox) {
				throw new ProtocolError('forbidden', 'The root sandbox cannot be deleted. You can reset it.');
			}
			await directory.remove(context.sandbox.id);
			return { deleted: context.sandbox.id };
		}),
		health: publicEndpoint(() => ({ status: 'ok' }))
	};
}

async function create(context: ControlContext, directory: SandboxRegistry): Promise<object> {
	requireRootSandbox(context);
	requireSameOrigin(context);
	const isOperator = (await findAccess(context)) !== undefined;
	if (!isOperator) await recordFailedAttempt(context, 'create_sandbox');
	const key = context.redact(base64url(context.options.random(32)));
	const sandbox = await directory.create(context.options.digest(key), {
		address: context.address,
		isOperator
	});
	setCookie(context, sandbox.id, 'owner', key);
	return respondJson(context, 201, { id: sandbox.id, base_url: sandbox.base_url, key });
}

function requireRootSandbox(context: ControlContext): void {
	if (context.sandbox.id === rootSandbox) return;
	throw new ProtocolError('not_found', 'This call works at the root sandbox only.');
}

function viewOf(sandbox: Sandbox): object {
	const { id, base_url, state } = sandbox;
	return {
		id,
		base_url,
		created_at: state.createdAt,
		clock: { now: sandbox.now(), offset: state.offset },
		settings: state.settings
	};
}
