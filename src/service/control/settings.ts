import { settingsChange, type Settings } from '#wire/control/settings.ts';
import { protectedEndpoint } from './control-endpoint.ts';
import { mergeSettings } from './merge-settings.ts';

/** `GET settings`: lifetimes, limits and switches. */
export const readSettings = protectedEndpoint((context): Settings => context.sandbox.state.settings);

/** `PATCH settings`: changes the parts that are sent. */
export const changeSettings = protectedEndpoint(async (context) => {
	const change = context.read(settingsChange);
	const world = await context.sandbox.updateState((now) => ({ ...now, settings: mergeSettings(now.settings, change) }));
	return world.settings;
});
