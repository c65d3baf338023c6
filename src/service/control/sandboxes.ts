import { respondJson } from '../responses.ts';
import { setCookie } from '../authorization/session-cookie.ts';
import { base64url } from '../encoding.ts';
import { sanitizeText } from '#wire/plain-text.ts';
import { ProtocolError } from '../errors.ts';
import type { WireResult } from '#wire/message.ts';
import {
	newSandbox,
	sandboxChange,
	sandboxLimits,
	type CreatedSandbox,
	type SandboxStatus
} from '#wire/control/sandboxes.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { requireSameOrigin } from '../checks/same-origin.ts';
import { rootSandbox } from '../records.ts';
import { protectedEndpoint, publicEndpoint, type ControlContext } from './control-endpoint.ts';
import { findAccess } from './control-access.ts';
import { activeFaults } from '../faults.ts';
import { applyPreset, validatePreset } from './prepare-sandbox.ts';
import { nameOf, viewOf } from './sandbox-view.ts';
import type { Sandbox } from '../sandbox.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';

/** The endpoints that create, list, show, reset and delete whole sandboxes. */
export function sandboxEndpoints(registry: SandboxRegistry) {
	return {
		createSandbox: publicEndpoint((context) => create(context, registry)),
		listSandboxes: protectedEndpoint(async (context) => {
			requireRootSandbox(context);
			return { sandboxes: await registry.list(), max: context.sandbox.seed.world.sandboxes.most };
		}),
		limitSandbox: protectedEndpoint(async (context) => {
			requireRootSandbox(context);
			const { traffic_entries } = context.read(sandboxLimits);
			const id = context.segments[1] ?? '';
			const sandbox = await registry.find(id === rootSandbox ? undefined : id);
			if (sandbox === undefined) throw unknownId();
			await sandbox.updateState((state) => ({ ...state, trafficEntries: traffic_entries }));
			return viewOf(sandbox);
		}),
		deleteSandboxById: protectedEndpoint(async (context) => {
			requireRootSandbox(context);
			const id = context.segments[1] ?? '';
			if (!(await registry.remove(id))) throw unknownId();
			return { deleted: id };
		}),
		showSandbox: protectedEndpoint((context) => viewOf(context.sandbox)),
		renameSandbox: protectedEndpoint(async (context) => {
			await rename(context.sandbox, context.read(sandboxChange).name);
			return viewOf(context.sandbox);
		}),
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

/** `POST sandboxes`. A preset that cannot be used creates nothing. */
async function create(context: ControlContext, registry: SandboxRegistry): Promise<WireResult> {
	requireRootSandbox(context);
	requireSameOrigin(context);
	const { body, bodyTooLarge } = context.request;
	const { name, preset, world } = body.length === 0 && !bodyTooLarge ? {} : context.read(newSandbox);
	if (preset !== undefined) validatePreset(context, preset);
	const isOperator = (await findAccess(context)) !== undefined;
	if (!isOperator) {
		if (!selfServiceOf(context))
			throw new ProtocolError(
				'forbidden',
				'Only the operator of this server creates sandboxes. Ask the operator for one.'
			);
		await recordFailedAttempt(context, 'create_sandbox');
	}
	const key = context.redact(base64url(context.options.random(32)));
	const sandbox = await registry.create(context.options.digest(key), {
		...{ address: context.address, isOperator },
		...(world === undefined ? {} : { world })
	});
	const { id, base_url } = sandbox;
	try {
		await rename(sandbox, name ?? preset?.name);
		const applications = preset === undefined ? [] : await applyPreset(context, sandbox, preset);
		setCookie(context, id, 'owner', key);
		const created: CreatedSandbox = { id, ...nameOf(sandbox), base_url, key, applications };
		return respondJson(context, 201, created);
	} catch (fault) {
		await registry.remove(id);
		throw fault;
	}
}

async function rename(sandbox: Sandbox, name: string | undefined): Promise<void> {
	if (name !== undefined) await sandbox.updateState((state) => ({ ...state, name: sanitizeText(name, 60) }));
}

/** `GET status`: for every visitor, see `sandboxStatus`. */
async function readStatus(context: ControlContext): Promise<SandboxStatus> {
	const { sandbox, options } = context;
	const { id, base_url, state } = sandbox;
	return {
		id,
		...nameOf(sandbox),
		base_url,
		can_control: (await findAccess(context)) !== undefined,
		clock: { now: context.now(), offset: state.offset },
		faults: activeFaults(context.sandbox, options).length,
		sandbox_per_visitor: id === rootSandbox && options.sandboxPerVisitor === true && selfServiceOf(context),
		...(options.caFile !== undefined && isLocal(context) ? { ca_file: options.caFile } : {})
	};
}

/**
 * Whether a request was sent on the machine of the server. A proxy there forwards requests of others, and they use a public address
 * of the server.
 */
function isLocal(context: ControlContext): boolean {
	const isForwarded = ['x-forwarded-for', 'forwarded', 'via'].some((name) => context.header(name) !== undefined);
	const hasLocalOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(context.options.origin);
	return context.address === '127.0.0.1' && hasLocalOrigin && !isForwarded;
}

/** Whether visitors can create sandboxes. */
function selfServiceOf({ sandbox }: ControlContext): boolean {
	const { most, self_service } = sandbox.seed.world.sandboxes;
	return self_service && most > 0;
}

function unknownId(): ProtocolError {
	return new ProtocolError('not_found', 'There is no sandbox with this id.');
}

function requireRootSandbox(context: ControlContext): void {
	if (context.sandbox.id === rootSandbox) return;
	throw new ProtocolError('not_found', 'This call works at the root sandbox only.');
}
