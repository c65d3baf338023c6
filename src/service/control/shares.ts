import * as v from 'valibot';
import { preset as presetSchema } from '#api/control/preset.ts';
import { maxShares, sharesApi, type Share } from '#api/control/shares.ts';
import { hashPassword } from '../authorization/passwords.ts';
import { clearFailedAttempts, recordFailedAttempt } from '../checks/attempt-limits.ts';
import { base64url, timingSafeEqual } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import type { ShareRecord } from '../sandbox/records.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import { type ControlContext, implement } from './control-endpoint.ts';
import { validatePreset } from './prepare-sandbox.ts';

const day = 24 * 60 * 60_000;
/** Share links of the sandboxes that one address created. */
const maxPlaces = 200;

/** Links that give each visitor a sandbox. The root sandbox finds the sandbox of a link, and that one has its content. */
export function sharesEndpoints(registry: SandboxRegistry) {
	return implement(sharesApi, {
		'POST /control/shares': async (context, { body: { preset, days, password, locked } }) => {
			const { sandbox, options } = context;
			if ((await sandbox.store.list('share')).length >= maxShares)
				throw new ProtocolError('limit_reached', `The sandbox has ${maxShares} share links. End one first.`);
			validatePreset(context, preset);
			const id = base64url(options.random(12));
			const created = options.now();
			await requirePlace(registry, sandbox);
			const expires = await registry.keepUntil(sandbox.id, created + days * day);
			const salt = base64url(options.random(12));
			const record = {
				preset: JSON.stringify(preset),
				created,
				expires,
				opened: 0,
				...(password !== undefined && {
					password: { salt, hash: await hashPassword(context, context.redact(password), salt) }
				}),
				...(locked === true && { locked })
			};
			const place = { sandbox: sandbox.id, expires, createdBy: sandbox.createdBy };
			// First, so that a full server has no link that leads nowhere.
			await registry.root.store.update('share_place', id, () => place);
			try {
				await sandbox.store.update('share', id, () => record);
			} catch (fault) {
				await registry.root.store.delete('share_place', id);
				throw fault;
			}
			return viewOf(context, id, record);
		},
		'GET /control/shares': async (context) => {
			const shares = await context.sandbox.store.list('share');
			return { shares: shares.map(([id, record]) => viewOf(context, id, record)).reverse() };
		},
		'DELETE /control/shares/{share_id}': async ({ sandbox }, { path: { share_id } }) => {
			if ((await sandbox.store.delete('share', share_id)) === undefined)
				throw new ProtocolError('not_found', 'This sandbox has no share link with this id.');
			await registry.root.store.delete('share_place', share_id);
			return { deleted: share_id };
		}
	});
}

/**
 * Leaves places for the links of others.
 * @throws ProtocolError `limit_reached`
 */
async function requirePlace(registry: SandboxRegistry, { createdBy }: Sandbox): Promise<void> {
	if (createdBy === '') return;
	const places = await registry.root.store.list('share_place');
	if (places.filter(([, place]) => place.createdBy === createdBy).length >= maxPlaces)
		throw new ProtocolError('limit_reached', `Your address has ${maxPlaces} share links. End one first.`);
}

/** What a share link gives to a visitor. */
export type OpenedShare = {
	readonly preset: v.InferOutput<typeof presetSchema>;
	/** Whether visitors only read their sandboxes by the control API. */
	readonly isLocked: boolean;
	/** Absent: visitors need none. */
	readonly password: ShareRecord['password'];
	readonly count: () => Promise<void>;
};

/**
 * Finds the content of a share link.
 * @throws ProtocolError `not_found` if it has ended
 */
export async function findShare(registry: SandboxRegistry, id: string, now: number): Promise<OpenedShare> {
	const place = await registry.root.store.get('share_place', id);
	const sandbox = place && (await registry.find(place.sandbox === registry.root.id ? undefined : place.sandbox));
	const record = await sandbox?.store.get('share', id);
	if (sandbox === undefined || record === undefined)
		throw new ProtocolError('not_found', 'This share link has ended. Ask its sender for another one.');
	const preset = v.parse(presetSchema, JSON.parse(record.preset));
	const count = async () => {
		await sandbox.store.update(
			'share',
			id,
			(known) => known && { ...known, opened: known.opened + 1, lastOpened: now }
		);
	};
	return { preset, isLocked: record.locked === true, password: record.password, count };
}

/**
 * Lets a visitor in who knows the password of a share link. Attempts are counted before it is checked, for the link and the address.
 * @param sent undefined: the visitor has not sent one
 * @throws ProtocolError `forbidden`, `too_many_attempts`
 */
export async function requireSharePassword(
	context: ControlContext,
	id: string,
	{ password }: OpenedShare,
	sent: string | undefined
): Promise<void> {
	if (password === undefined) return;
	const rejected = (description: string) => new ProtocolError('forbidden', description, { field: 'share_password' });
	if (sent === undefined) throw rejected('This demo needs a password. Its sender has it.');
	await recordFailedAttempt(context, 'share_password', id);
	if (!timingSafeEqual(await hashPassword(context, context.redact(sent), password.salt), password.hash))
		throw rejected('This is not the password of this demo. Check it, or ask its sender.');
	// Everyone in a room can have one address.
	await clearFailedAttempts(context, 'share_password', id);
}

/** What the list of links shows of a preset. */
const storedStart = v.object({ start: v.optional(v.object({ path: v.string() })) });

function viewOf({ options }: ControlContext, id: string, record: ShareRecord): Share {
	const preset = v.parse(storedStart, JSON.parse(record.preset));
	return {
		id,
		url: `${options.origin}/preset?share=${id}`,
		path: preset.start?.path.replace(/#.*/, '') ?? '/',
		created_at: record.created,
		ends_at: record.expires,
		opened: record.opened,
		last_opened_at: record.lastOpened ?? null,
		has_password: record.password !== undefined,
		is_locked: record.locked === true
	};
}
