import { settingsChange, type Settings, type SettingsChange } from '#wire/control/settings.ts';
import { protectedEndpoint } from './control-endpoint.ts';

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
