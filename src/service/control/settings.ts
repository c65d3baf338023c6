import { defaultSettings, settingsApi } from '#api/control/settings.ts';
import { implement } from './control-endpoint.ts';
import { mergeSettings } from '../sandbox/merge-settings.ts';

/** Lifetimes, limits and switches. */
export const settingsEndpoints = implement(settingsApi, {
	'GET /control/settings': ({ sandbox }) =>
		// One that an earlier version stored lacks the settings that were added since.
		mergeSettings(defaultSettings, sandbox.state.settings),
	'PATCH /control/settings': async ({ sandbox }, { body }) => {
		const state = await sandbox.updateState((now) => ({ ...now, settings: mergeSettings(now.settings, body) }));
		return mergeSettings(defaultSettings, state.settings);
	}
});
