import { maxSeats, type JoinedSeat } from '#api/control/seats.ts';
import type { ReadPreset } from '#api/control/preset.ts';
import { setCookie } from '../access/cookies.ts';
import { requireSameOrigin } from '../access/csrf.ts';
import { findClass } from '../class/class-access.ts';
import { classIsFull, unknownClass } from '../class/class-errors.ts';
import type { Classes } from '../class/classes.ts';
import { labelOf } from '../class/labels.ts';
import type { EarlierWork } from '../class/return-code.ts';
import { base64url } from '../core/encoding.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import type { ControlContext } from './control-endpoint.ts';
import { applyPreset } from './prepare-sandbox.ts';

/** The application of a seat that its student writes, unless the preset has some. */
const studentApplication = {
	client_id: 'my-client',
	name: 'My client',
	kind: 'web',
	redirect_uris: [3000, 5173, 8000, 8080].map((port) => `http://localhost:${port}/callback`)
} as const;
/** `POST seats`: a sandbox with the preset of the class. */
export async function join(
	context: ControlContext,
	registry: SandboxRegistry,
	sent: string,
	earlier?: EarlierWork
): Promise<JoinedSeat> {
	// A page of another site must not take seats, or put its own into this browser.
	requireSameOrigin(context);
	const { code, record } = await findClass(context, sent);
	const { classes, options } = context;
	const { seats, expires, firstLabel, preset } = record;
	const changes = options.store.durableChanges();
	const seat = (await classes.takeSeat(code)) ?? (await takeUnusedSeat(context, registry, code));
	if (seat === undefined) throw classIsFull(record);
	const key = context.redact(base64url(options.random(32)));
	let sandbox: Sandbox | undefined;
	try {
		sandbox = await registry.createSeat(options.digest(key), { code, number: seat, seats }, expires);
		const applications = await applyPreset(context, sandbox, withApplication(preset));
		const label = labelOf(firstLabel, seat, 0, maxSeats);
		// A seat that is not on the disk is none: without a response, its student has no key.
		await options.store.settled(changes);
		await classes.finishSeat(code, seat, sandbox.id, label);
		const { base_url } = sandbox;
		if (earlier !== undefined) await classes.changeSeat(code, seat, (stored) => ({ ...stored, ...earlier }));
		if ((await classes.find(code)) === undefined) throw unknownClass();
		setCookie(context, sandbox.id, 'owner', key);
		return { seat, label, base_url, key, applications };
	} catch (fault) {
		await classes.deleteSeat(code, seat);
		if (sandbox !== undefined) await registry.remove(sandbox.id);
		throw fault;
	}
}

/** Gives the number of a seat that its student never used to the next one, so that one visitor cannot take all. */
async function takeUnusedSeat(
	{ classes }: ControlContext,
	registry: SandboxRegistry,
	code: string
): Promise<number | undefined> {
	const unused = await classes.findUnused(code);
	if (unused === undefined) return undefined;
	const [number, { sandbox }] = unused;
	await removeSeat(classes, registry, code, number, sandbox);
	return classes.takeSeat(code);
}

function withApplication(preset: ReadPreset = { format: 'tollgate-preset', version: 1 }): ReadPreset {
	const { applications = [] } = preset;
	if (applications.length > 0) return preset;
	return { ...preset, applications: [{ ...studentApplication, redirect_uris: [...studentApplication.redirect_uris] }] };
}

/** Deletes a seat with its sandbox. */
export async function removeSeat(
	classes: Classes,
	registry: SandboxRegistry,
	code: string,
	number: number,
	sandbox: string
): Promise<void> {
	await registry.remove(sandbox);
	await classes.deleteSeat(code, number);
}
