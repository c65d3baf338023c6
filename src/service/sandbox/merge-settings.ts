import type { Settings, SettingsChange } from '#api/control/settings.ts';

/** The settings with those in place that a change names. */
export function mergeSettings(settings: Settings, change: SettingsChange): Settings {
	return {
		...settings,
		...change,
		lifetimes: { ...settings.lifetimes, ...change.lifetimes },
		limits: { ...settings.limits, ...change.limits }
	};
}
