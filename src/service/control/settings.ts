import { settingsChange, type Settings, type SettingsChange } from '#wire/control/settings.ts';
import { respondJson } from '../responses.ts';
import { base64url } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import type { InjectedFault, SandboxState } from '../records.ts';
import type { Context } from '../context.ts';
import { protectedEndpoint } from './control-endpoint.ts';
import { newFault } from './schemas.ts';

/** How long an injected fault lasts at the most, in milliseconds of the real clock, and how many there may be. */
const faultLifetime = 60 * 60 * 1000;
const mostFaults = 20;

/** `GET settings`: lifetimes, limits and switches. */
export const readSettings = protectedEndpoint((context): Settings => context.sandbox.state.settings);

/** `PATCH settings`: changes the parts that are sent. */
export const changeSettings = protectedEndpoint(async (context) => {
	const change = context.read(settingsChange);
	const world = await context.sandbox.updateState((now) => ({ ...now, settings: mergeSettings(now.settings, change) }));
	return world.settings;
});

/** The settings with those in place that a change names. */
export function mergeSettings(settings: Settings, change: SettingsChange): Settings {
	return {
		...settings,
		...change,
		lifetimes: { ...settings.lifetimes, ...change.lifetimes },
		limits: { ...settings.limits, ...change.limits }
	};
}

/** `GET faults`: the faults that are still to come. */
export const listFaults = protectedEndpoint((context) => ({
	faults: liveFaults(context, context.sandbox.state).map(viewOf)
}));

/** `POST faults`: injects one, for an hour at the most. More than a sandbox takes are `limit_reached`. */
export const addFault = protectedEndpoint(async (context) => {
	const { endpoint, kind, status, delay_ms, times, after_commit } = context.read(newFault);
	const id = base64url(context.options.random(9));
	const until = context.options.now() + faultLifetime;
	const fault: InjectedFault = { id, endpoint, kind, status, delay: delay_ms, times, afterCommit: after_commit, until };
	const world = await context.sandbox.updateState((now) => {
		const faults = liveFaults(context, now);
		return { ...now, faults: faults.length < mostFaults ? [...faults, fault] : faults };
	});
	if (!world.faults.includes(fault))
		throw new ProtocolError('limit_reached', `A sandbox can have at most ${mostFaults} faults. Delete one first.`);
	return respondJson(context, 201, viewOf(fault));
});

/** `DELETE faults`, `DELETE faults/<id>`: takes all of them back, or one. */
export const clearFaults = protectedEndpoint(async (context) => {
	const id = context.segments[1];
	await context.sandbox.updateState((now) => ({
		...now,
		faults: id === undefined ? [] : now.faults.filter((fault) => fault.id !== id)
	}));
	return { faults: context.sandbox.state.faults.map(viewOf) };
});

/** The faults that are still to come. */
export function liveFaults(context: Context, world: SandboxState): InjectedFault[] {
	return world.faults.filter((fault) => fault.times > 0 && fault.until > context.options.now());
}

function viewOf({ id, endpoint, kind, status, delay, times, afterCommit, until }: InjectedFault): object {
	const detail = kind === 'delay' ? { delay_ms: delay } : kind === 'status' ? { status } : {};
	return { id, endpoint, kind, ...detail, times, after_commit: afterCommit, until };
}
