import * as v from 'valibot';
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
export const settingsChange = v.partial(
	v.strictObject({
		lifetimes: v.partial(v.strictObject(lifetimes)),
		limits: v.partial(v.strictObject(limits)),
		...switches
	})
);

export type Settings = v.InferOutput<typeof settings>;
export type SettingsChange = v.InferOutput<typeof settingsChange>;
