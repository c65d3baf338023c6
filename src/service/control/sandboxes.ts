import { respondJson } from '../responses.ts';
import { setCookie } from '../authorization/session-cookie.ts';
import { base64url } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import type { SandboxStatus } from '#wire/control/sandboxes.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { requireSameOrigin } from '../checks/same-origin.ts';
import { maxSandboxes } from '../record-limits.ts';
import { rootSandbox } from '../records.ts';
import type { Sandbox } from '../sandbox.ts';
import { protectedEndpoint, publicEndpoint, type ControlContext } from './control-endpoint.ts';
import { findAccess } from './control-access.ts';
import { liveFaults } from './settings.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';

/** The endpoints that create, list, show, reset and delete whole sandboxes. */
export function sandboxEndpoints(registry: SandboxRegistry) {
	return {
		createSandbox: publicEndpoint((context) => create(context, registry)),
		listSandboxes: protectedEndpoint(async (context) => {
			requireRootSandbox(context);
			return { sandboxes: await registry.list(), max: maxSandboxes };
		}),
		deleteSandboxById: protectedEndpoint(async (context) => {
			requireRootSandbox(context);
			const id = context.segments[1] ?? '';
			if (!(await registry.remove(id))) throw new ProtocolError('not_found', 'There is no sandbox with this id.');
			return { deleted: id };
		}),
		showSandbox: protectedEndpoint((context) => viewOf(context.sandbox)),
		resetSandbox: protectedEndpoint(async (context) => {
			await registry.reset(context.sandbox);
			return viewOf(context.sandbox);
		}),
		deleteSandbox: protectedEndpoint(async (context) => {
			if (context.sandbox.id === rootSandbox) {
				throw new ProtocolError('forbidden', 'The root sandbox cannot be deleted. You can reset it.');
			}
			await registry.remove(context.sandbox.id);
			return { deleted: context.sandbox.id };
		}),
		readStatus: publicEndpoint(readStatus),
		health: publicEndpoint(() => ({ status: 'ok' }))
	};
}

async function create(context: ControlContext, registry: SandboxRegistry): Promise<object> {
	requireRootSandbox(context);
	requireSameOrigin(context);
	const isOperator = (await findAccess(context)) !== undefined;
	if (!isOperator) await recordFailedAttempt(context, 'create_sandbox');
	const key = context.redact(base64url(context.options.random(32)));
	const sandbox = await registry.create(context.options.digest(key), {
		address: context.address,
		isOperator
	});
	setCookie(context, sandbox.id, 'owner', key);
	return respondJson(context, 201, { id: sandbox.id, base_url: sandbox.base_url, key });
}

/** `GET status`: for every visitor, see `sandboxStatus`. */
async function readStatus(context: ControlContext): Promise<SandboxStatus> {
	const { id, base_url, state } = context.sandbox;
	return {
		id,
		base_url,
		can_control: (await findAccess(context)) !== undefined,
		clock: { now: context.now(), offset: state.offset },
		faults: liveFaults(context, state).length,
		sandbox_per_visitor: false
	};
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
