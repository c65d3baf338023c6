import type * as v from 'valibot';
import {
	type CreatedSandbox,
	type newSandbox,
	ownerKeysApi,
	type resetSandbox,
	sandboxesApi,
	type sandboxReset,
	type SandboxView
} from '#api/control/sandboxes.ts';
import { statusApi } from '#api/control/status.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { cookieName, readCookie, requireSameOrigin, setCookie, signInAt } from '../access/cookies.ts';
import { base64url } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { respondText } from '../core/responses.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { findProvider } from '../provider/providers.ts';
import { rootSandbox } from '../core/target.ts';
import { type ControlContext, implement } from './control-endpoint.ts';
import { findAccess } from '../access/control-access.ts';
import { activeFaults } from '../sandbox/faults.ts';
import { applyPreset, validatePreset } from './prepare-sandbox.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { findShare, requireSharePassword } from './shares.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';

/** Whole sandboxes: create, list, show, reset and delete. */
export function sandboxesEndpoints(registry: SandboxRegistry) {
	return implement(sandboxesApi, {
		'POST /control/sandboxes': (context, input) => create(context, registry, input),
		'GET /control/sandboxes': async (context) => {
			requireRootSandbox(context);
			return { sandboxes: await registry.list(), max: context.sandbox.seed.world.sandboxes.most };
		},
		'PATCH /control/sandboxes/{id}': async (context, input) => {
			requireRootSandbox(context);
			const { traffic_entries } = input.body;
			const { id } = input.path;
			const sandbox = await registry.find(id === rootSandbox ? undefined : id);
			if (sandbox === undefined) throw unknownId();
			await sandbox.updateState((state) => ({ ...state, trafficEntries: traffic_entries }));
			return viewOf(sandbox);
		},
		'DELETE /control/sandboxes/{id}': async (context, { path: { id } }) => {
			requireRootSandbox(context);
			if (!(await registry.remove(id))) throw unknownId();
			return { deleted: id };
		},
		'GET /control/sandbox': ({ sandbox }) => viewOf(sandbox),
		'PATCH /control/sandbox': async ({ sandbox }, { body }) => {
			await rename(sandbox, body.name);
			return viewOf(sandbox);
		},
		'POST /control/reset': (context, input) => reset(context, input),
		'DELETE /control/sandbox': async ({ sandbox }) => {
			if (sandbox.id === rootSandbox) {
				throw new ProtocolError('forbidden', 'The root sandbox cannot be deleted. You can reset it.');
			}
			if (sandbox.seat !== undefined) {
				throw new ProtocolError('forbidden', 'The sandbox of a seat is deleted with its class. You can reset it.');
			}
			await registry.remove(sandbox.id);
			return { deleted: sandbox.id };
		}
	});
}

/** What every visitor may know of the sandbox. */
export const statusEndpoints = implement(statusApi, {
	'GET /control/health': () => ({ status: 'ok' }),
	'GET /control/ca.pem': (context) => {
		const { ca } = context.options;
		if (ca === undefined)
			throw new ProtocolError(
				'not_found',
				'This server did not create a certificate authority, so there is none to trust.'
			);
		const disposition = ['Content-Disposition', 'attachment; filename="ca.pem"'];
		return respondText(context, 200, 'application/x-pem-file', ca, disposition);
	},
	'GET /control/status': async (context) => {
		const { sandbox, options } = context;
		const { id, base_url, state } = sandbox;
		const canControl = (await findAccess(context)) !== undefined;
		const provider = findProvider(state.settings.dialect, sandbox.seed.world);
		return {
			id,
			name: state.name,
			base_url,
			can_control: canControl,
			clock: { now: context.now(), offset: state.offset },
			faults: activeFaults(context.sandbox, options).length,
			class_seats: options.classSeats ?? 0,
			is_seat: sandbox.seat !== undefined,
			// It has the code, with which anyone can join.
			class: canControl ? await context.classService?.statusOf(sandbox.seat) : undefined,
			dialect: context.dialect.name,
			provider: provider?.name,
			provider_title: provider?.short,
			is_strict: state.settings.strict,
			world: state.world,
			is_locked: state.locked === true,
			is_paused: (context.pauses.find(id)?.view.points.length ?? 0) > 0,
			sandbox_per_visitor: id === rootSandbox && options.sandboxPerVisitor === true && selfServiceOf(context),
			has_ca: options.ca !== undefined && !isForwarded(context),
			// Students copy what their pages show to other machines.
			ca_file: sandbox.seat === undefined && isLocal(context) ? options.caFile : undefined
		};
	}
});

/** `POST sandboxes`. A preset that cannot be used creates nothing. */
async function create(
	context: ControlContext,
	registry: SandboxRegistry,
	input: { readonly body: v.InferOutput<typeof newSandbox> }
): Promise<CreatedSandbox> {
	requireRootSandbox(context);
	requireSameOrigin(context);
	const { name, preset: sent, share, share_password, world } = input.body;
	const shared = share === undefined ? undefined : await findShare(registry, share, context.options.now());
	if (share !== undefined && shared !== undefined) await requireSharePassword(context, share, shared, share_password);
	const preset = shared?.preset ?? sent;
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
		address: context.networkAddress,
		isOperator,
		isOfLink: share !== undefined || preset?.start !== undefined,
		world
	});
	const { id, base_url } = sandbox;
	try {
		await rename(sandbox, name ?? preset?.name);
		const applications = preset === undefined ? [] : await applyPreset(context, sandbox, preset);
		if (shared?.isLocked === true) await sandbox.updateState((state) => ({ ...state, locked: true }));
		setCookie(context, id, 'owner', key);
		if (preset?.start?.username !== undefined) await signInAt(context, sandbox, preset.start.username);
		await shared?.count();
		return { id, name: sandbox.state.name, base_url, key, start_path: preset?.start?.path, applications };
	} catch (fault) {
		await registry.remove(id);
		throw fault;
	}
}

/** `POST reset`. A preset that cannot be used changes nothing. */
async function reset(
	context: ControlContext,
	{ body: { preset, keep = [] } }: { readonly body: v.InferOutput<typeof sandboxReset> }
): Promise<v.InferOutput<typeof resetSandbox>> {
	const { sandbox, pauses } = context;
	if (preset !== undefined) validatePreset(context, preset);
	await sandbox.reset({ applications: keep.includes('applications'), traffic: keep.includes('traffic') });
	pauses.end(sandbox.id);
	const applications = preset === undefined ? [] : await applyPreset(context, sandbox, preset);
	return { ...viewOf(sandbox), applications };
}

async function rename(sandbox: Sandbox, name: string | undefined): Promise<void> {
	if (name !== undefined) await sandbox.updateState((state) => ({ ...state, name: sanitizeText(name, 60) }));
}

/**
 * Whether a request was sent on the machine of the server. A proxy there forwards requests of others, and they use a public address
 * of the server.
 */
function isLocal(context: ControlContext): boolean {
	const hasLocalOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(context.options.origin);
	return context.networkAddress === '127.0.0.1' && hasLocalOrigin && !isForwarded(context);
}

/** Whether a proxy sent the request. Clients get the certificate of the proxy. */
function isForwarded(context: ControlContext): boolean {
	return ['x-forwarded-for', 'forwarded', 'via'].some((name) => context.header(name) !== undefined);
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
	throw new ProtocolError('not_found', 'This request works at the root sandbox only.');
}

/** A sandbox as its owner sees it. */
function viewOf(sandbox: Sandbox): SandboxView {
	const { id, base_url, state, trafficLimits } = sandbox;
	return {
		id,
		name: state.name,
		base_url,
		created_at: state.createdAt,
		clock: { now: sandbox.now(), offset: state.offset },
		settings: state.settings,
		traffic_entries: trafficLimits.entries
	};
}

/** How many keys a sandbox has besides its first. A further one replaces the oldest. */
const maxOwnerKeys = 20;

/** The keys of a sandbox, which let a browser or program control it. */
export const ownerKeysEndpoints = implement(ownerKeysApi, {
	// A new key takes the place of the admin key or the key of the class in the cookie.
	'POST /control/owner': async (context) => {
		// A page of another site must not put its own key into this browser.
		requireSameOrigin(context);
		const access = await findAccess(context);
		const isForMore = access === 'admin key' || access === 'class key';
		const key = isForMore ? await createKey(context) : context.header('x-tollgate-key');
		if (key !== undefined) setCookie(context, context.sandbox.id, 'owner', key);
		return viewOf(context.sandbox);
	},
	'POST /control/owner-links': async (context) => {
		const key = await createKey(context);
		return { url: ownerLinkOf(context.sandbox, key) };
	},
	// The first key and that of the caller stay.
	'DELETE /control/owner-links': async (context) => {
		const own = context.header('x-tollgate-key') ?? readCookie(context, cookieName(context, 'owner')) ?? '';
		const digest = context.options.digest(own);
		let revoked = 0;
		await context.sandbox.updateState((state) => {
			const ownerKeys = state.ownerKeys.filter((key) => key === digest);
			revoked = state.ownerKeys.length - ownerKeys.length;
			return { ...state, ownerKeys };
		});
		endStreams(context, revoked);
		return { revoked };
	}
});

/** The link that lets a browser control a sandbox. Browsers don't send its fragment to servers. */
export function ownerLinkOf({ base_url }: Sandbox, key: string): string {
	return `${base_url}/controls/sandboxes#owner=${key}`;
}

/** Creates a key of the sandbox. Only its digest is stored. */
async function createKey(context: ControlContext): Promise<string> {
	const key = context.redact(base64url(context.options.random(32)));
	const digest = context.options.digest(key);
	let replaced = 0;
	await context.sandbox.updateState((state) => {
		const ownerKeys = [...state.ownerKeys, digest];
		replaced = Math.max(0, ownerKeys.length - maxOwnerKeys);
		return { ...state, ownerKeys: ownerKeys.slice(-maxOwnerKeys) };
	});
	endStreams(context, replaced);
	return key;
}

/** Ends all event streams once keys no longer work. Readers whose key still works connect again. */
function endStreams({ sandbox }: ControlContext, revoked: number): void {
	if (revoked > 0) sandbox.traffic.announce('revoked');
}
