import * as v from 'valibot';
import { declare } from '../declare.ts';
import { whole } from './fields.ts';

const lifetimes = {
	/** Seconds. */
	code: whole(1, 86_400),
	access_token: whole(1, 31_536_000)
};

const limits = {
	/** Requests per window. */
	character: whole(0, 1_000_000),
	ratelimits: whole(0, 1_000_000),
	/** Rejected requests in one window that blacklist an address. */
	blacklist_after_refused: whole(1, 1_000_000),
	/** The length of a window, in seconds. */
	window: whole(1, 86_400)
};

const switches = {
	/** False: `Bearer` and HTTP Basic client authentication are accepted too. */
	strict: v.boolean(),
	/** Whether the documented test cards work. */
	test_cards: v.boolean(),
	/** Whether a client can choose the address that its requests count for, with the header `X-Tollgate-Address`. */
	virtual_addresses: v.boolean()
};

/** `GET settings`. */
export const settings = v.object({
	lifetimes: v.object(lifetimes),
	limits: v.object(limits),
	...switches
});

/** `PATCH settings`: the settings to change. */
export const settingsChange = v.strictObject({
	lifetimes: v.exactOptional(
		v.strictObject({
			code: v.exactOptional(lifetimes.code),
			access_token: v.exactOptional(lifetimes.access_token)
		})
	),
	limits: v.exactOptional(
		v.strictObject({
			character: v.exactOptional(limits.character),
			ratelimits: v.exactOptional(limits.ratelimits),
			blacklist_after_refused: v.exactOptional(limits.blacklist_after_refused),
			window: v.exactOptional(limits.window)
		})
	),
	strict: v.exactOptional(switches.strict),
	test_cards: v.exactOptional(switches.test_cards),
	virtual_addresses: v.exactOptional(switches.virtual_addresses)
});

/** The settings of a new sandbox (specification, sections 2.4 and 8.1). */
export const defaultSettings = {
	lifetimes: { code: 600, access_token: 3920 },
	limits: { character: 600, ratelimits: 150, blacklist_after_refused: 100, window: 3600 },
	strict: true,
	test_cards: true,
	virtual_addresses: true
} as const;

/** The endpoints. */
export const settingsApi = declare({
	'GET /control/settings': {
		id: 'readSettings',
		tag: 'Settings and faults',
		summary: 'Read the settings',
		responses: { 200: { description: 'All settings.', json: settings } }
	},
	'PATCH /control/settings': {
		id: 'changeSettings',
		tag: 'Settings and faults',
		summary: 'Change settings',
		description: 'Changes what the body names.',
		body: { schema: settingsChange, example: { limits: { character: 20 }, lifetimes: { access_token: 120 } } },
		responses: { 200: { description: 'All settings.', json: settings } }
	}
});

export type Settings = v.InferOutput<typeof settings>;
export type SettingsChange = v.InferOutput<typeof settingsChange>;
