import * as v from 'valibot';
import { mapValues } from '#lib/map-values.ts';
import { type AgentFault, agentFaultNames, agentFaults } from '../agent-faults.ts';
import { declare } from '../declare.ts';
import { dialectTitles } from '../dialect.ts';
import {
	type LimitAlgorithm,
	limitAlgorithmNames,
	limitAlgorithms,
	longestLog,
	type RetryAfterForm,
	retryAfterForms
} from '../limit-algorithm.ts';
import { whole } from './fields.ts';

// The settings of a new sandbox follow the specification, sections 2.4 and 8.1.

const lifetimes = {
	code: {
		schema: whole(1, 86_400),
		initial: 600,
		label: 'Authorization code',
		unit: 'seconds',
		description: 'Lifetime of an authorization code, in seconds.',
		isInEverySnapshot: true
	},
	access_token: {
		schema: whole(1, 31_536_000),
		initial: 3920,
		label: 'Access token',
		unit: 'seconds',
		description: 'Lifetime of an access token, in seconds.',
		isInEverySnapshot: true
	},
	rotation_grace: {
		schema: whole(0, 3600),
		initial: 0,
		label: 'Refresh token reuse',
		unit: 'seconds',
		hint: 'A second use within it returns the same new token.',
		description: 'How long a replaced refresh token returns the same new one, in seconds.',
		details: 'Until the new one is used, in the dialect `standard`.'
	}
} satisfies NumberRows<string>;

const limits = {
	character: {
		schema: whole(0, 1_000_000),
		initial: 600,
		label: '/ws/v2.0/character/*',
		description: 'Requests to characters per window.',
		isInEverySnapshot: true
	},
	ratelimits: {
		schema: whole(0, 1_000_000),
		initial: 150,
		label: '/ws/v2.0/ratelimits',
		description: 'Requests to `ratelimits` per window.',
		isInEverySnapshot: true
	},
	blacklist_after_refused: {
		schema: whole(1, 1_000_000),
		initial: 100,
		label: 'Blacklist after',
		unit: 'rejections',
		description: 'Rejected requests in one window that blacklist an address.',
		isInEverySnapshot: true
	},
	window: {
		schema: whole(1, 86_400),
		initial: 3600,
		label: 'Window',
		unit: 'seconds',
		description: 'The length of a window, in seconds.',
		details: 'A window begins with its first request. A shorter length applies to open windows too.'
	},
	slow_cost: {
		schema: whole(1, longestLog),
		initial: 1,
		label: 'Cost of a slow request',
		unit: 'requests',
		description: 'How many requests one for the slow test card counts as.',
		details: 'See [Cost and concurrency](settings.md#cost-and-concurrency).'
	},
	concurrent: {
		schema: whole(0, 1000),
		initial: 0,
		label: 'At the same time',
		unit: 'requests',
		hint: '0: any number.',
		description: 'Requests to characters that may be in progress at once. `0` is any number.'
	}
} satisfies NumberRows<string>;

const switches = {
	strict: {
		initial: true,
		label: 'Strict',
		hint: {
			on: 'Bearer tokens and HTTP Basic client authentication are rejected.',
			off: 'Bearer tokens and HTTP Basic client authentication are accepted, too.'
		},
		description: '`false` also accepts `Bearer` and HTTP Basic client authentication.',
		details: '`token_type` is `Bearer` then. It has no effect in the dialect `standard`.',
		isInEverySnapshot: true
	},
	test_cards: {
		initial: true,
		label: 'Test cards',
		hint: { on: 'documented names choose the response.', off: 'these names have no effect.' },
		description: 'Whether test cards work.',
		details: 'See [Test cards](testing.md#test-cards).'
	},
	virtual_addresses: {
		initial: true,
		label: 'Virtual addresses',
		hint: {
			on: 'clients and applications may count as another address.',
			off: 'each request counts for its network address.'
		},
		description: 'Whether `X-Tollgate-Address` can choose the address that a request counts for.',
		details:
			'The root sandbox of a server with `ADMIN_KEY` starts with `false`, because there every client could avoid its limits.'
	},
	jwt_access_tokens: {
		initial: false,
		label: 'Signed access tokens',
		hint: {
			on: 'access tokens are JWTs (RFC 9068) that a resource server verifies with the public keys.',
			off: 'access tokens are random text.'
		},
		description: 'Whether access tokens are JWTs (RFC 9068). It needs the dialect `standard`.',
		details: 'See [Signed access tokens](standard-client.md#signed-access-tokens).'
	},
	require_pushed_requests: {
		initial: false,
		label: 'Pushed requests only',
		hint: {
			on: 'authorization requests must be pushed by the client, in the dialect of today’s standards.',
			off: 'authorization requests may be sent as a query.'
		},
		description: 'Whether all authorization requests must be pushed (RFC 9126). It needs the dialect `standard`.'
	},
	dynamic_registration: {
		initial: false,
		label: 'Dynamic registration',
		hint: {
			on: 'clients may register themselves, in the dialect of today’s standards.',
			off: 'applications are registered in the developer console.'
		},
		description: 'Whether clients may register themselves (RFC 7591). It needs the dialect `standard`.'
	},
	dpop_nonce: {
		initial: false,
		label: 'DPoP nonce',
		hint: { on: 'each DPoP proof needs the nonce of an earlier response.', off: 'DPoP proofs need no nonce.' },
		description: 'Whether DPoP proofs need the nonce of `DPoP-Nonce` (RFC 9449). It needs the dialect `standard`.'
	}
} satisfies SwitchRows<string>;

const choices = {
	dialect: {
		schema: v.picklist(Object.keys(dialectTitles)),
		initial: 'specification',
		options: dialectTitles,
		label: 'Dialect',
		hint: 'Today’s standards: unmodified OAuth libraries work. Codes and tokens stay valid.',
		description:
			'`specification`, `standard` for today’s OAuth (Bearer, PKCE, metadata, rotation, 429), or the name of a simulated provider.',
		details: 'See [Connect a standard client](standard-client.md) and [Simulated providers](providers.md).'
	} satisfies ChoiceRow<string>,
	limit_algorithm: {
		schema: v.picklist(limitAlgorithmNames),
		initial: 'fixed_window',
		options: limitAlgorithms,
		label: 'Rate limit',
		hint: 'How requests are counted. Another choice begins a new count.',
		description: 'The algorithm of the rate limits.',
		details: 'See [Rate limit algorithms](settings.md#rate-limit-algorithms).'
	} satisfies ChoiceRow<LimitAlgorithm>,
	retry_after: {
		schema: v.picklist(retryAfterForms),
		initial: 'seconds',
		options: { seconds: 'Seconds', date: 'Date' },
		label: 'Retry-After',
		hint: 'Clients must read both forms.',
		description: 'The form of `Retry-After` over the limit, in the dialect `standard`.'
	} satisfies ChoiceRow<RetryAfterForm>,
	agent_fault: {
		schema: v.picklist(agentFaultNames),
		initial: 'none',
		options: agentFaults,
		label: 'Fault for agents',
		hint: 'What the server for agents does wrong, in the dialect of today’s standards.',
		description: 'What authorization server and MCP server do wrong, in the dialect `standard`.',
		details: 'See [Faults for agents](agents.md#faults).'
	} satisfies ChoiceRow<AgentFault>
};

/** The path of a setting that is a number: `limits.window`. */
export type NumberPath = `lifetimes.${keyof typeof lifetimes}` | `limits.${keyof typeof limits}`;
/** The path of a setting that is on or off. */
export type SwitchPath = keyof typeof switches;
/** The path of a setting that is one of several values. */
export type ChoicePath = keyof typeof choices;

type NumberSetting = NumberRows<string>[string] & { readonly name: string; readonly path: NumberPath };

/** The settings that are numbers, by group. */
export const numberGroups: readonly {
	readonly label: string;
	readonly hint: string;
	readonly settings: readonly NumberSetting[];
}[] = [
	{ label: 'Lifetimes', hint: '', settings: rowsOf(lifetimes, 'lifetimes.') },
	{ label: 'Limits', hint: 'Requests per window and address.', settings: rowsOf(limits, 'limits.') }
];

export const switchSettings: readonly (SwitchRows<string>[string] & {
	readonly name: string;
	readonly path: SwitchPath;
})[] = rowsOf(switches, '');

/** The settings that are one of several values. */
export const choiceSettings: readonly (AnyChoice & { readonly name: string; readonly path: ChoicePath })[] = rowsOf<
	ChoicePath,
	'',
	AnyChoice
>(choices, '');

/** `GET settings`. */
export const settings = v.object({
	lifetimes: v.object(mapValues(lifetimes, ({ schema }) => schema)),
	limits: v.object(mapValues(limits, ({ schema }) => schema)),
	...mapValues(switches, () => v.boolean()),
	dialect: choices.dialect.schema,
	limit_algorithm: choices.limit_algorithm.schema,
	retry_after: choices.retry_after.schema,
	agent_fault: choices.agent_fault.schema
});

/** `PATCH settings`: the settings to change. */
export const settingsChange = v.strictObject({
	lifetimes: v.exactOptional(v.strictObject(mapValues(lifetimes, ({ schema }) => v.exactOptional(schema)))),
	limits: v.exactOptional(v.strictObject(mapValues(limits, ({ schema }) => v.exactOptional(schema)))),
	...mapValues(switches, () => v.exactOptional(v.boolean())),
	dialect: v.exactOptional(choices.dialect.schema),
	limit_algorithm: v.exactOptional(choices.limit_algorithm.schema),
	retry_after: v.exactOptional(choices.retry_after.schema),
	agent_fault: v.exactOptional(choices.agent_fault.schema)
});

export const snapshotSettings = {
	lifetimes: v.strictObject(mapValues(lifetimes, inSnapshot)),
	limits: v.strictObject(mapValues(limits, inSnapshot)),
	...mapValues(switches, (row) => inSnapshot({ ...row, schema: v.boolean() })),
	dialect: inSnapshot<string>(choices.dialect),
	limit_algorithm: inSnapshot<LimitAlgorithm>(choices.limit_algorithm),
	retry_after: inSnapshot<RetryAfterForm>(choices.retry_after),
	agent_fault: inSnapshot<AgentFault>(choices.agent_fault)
};

/** The settings of a new sandbox. */
export const defaultSettings: Settings = {
	lifetimes: mapValues(lifetimes, ({ initial }) => initial),
	limits: mapValues(limits, ({ initial }) => initial),
	...mapValues(switches, ({ initial }) => initial),
	dialect: choices.dialect.initial,
	limit_algorithm: choices.limit_algorithm.initial,
	retry_after: choices.retry_after.initial,
	agent_fault: choices.agent_fault.initial
};

export const settingsApi = declare({
	'GET /control/settings': {
		id: 'readSettings',
		tag: 'Settings and faults',
		summary: 'Read the settings',
		description: 'Returns all settings, including those that were never changed.',
		responses: { 200: { description: 'All settings.', json: settings } }
	},
	'PATCH /control/settings': {
		id: 'changeSettings',
		tag: 'Settings and faults',
		summary: 'Change settings',
		description: 'Changes the settings that the body names. Returns all of them.',
		body: { schema: settingsChange, example: { limits: { character: 20 }, lifetimes: { access_token: 120 } } },
		responses: { 200: { description: 'All settings.', json: settings } }
	}
});

export type Settings = v.InferOutput<typeof settings>;
export type SettingsChange = v.InferOutput<typeof settingsChange>;

/** One setting: everything that the service, the pages and the documentation say about it. */
type Setting = {
	/** In forms and lists. */
	readonly label: string;
	/** What a number counts, in the plural. */
	readonly unit?: string;
	/** Help text of the form. */
	readonly hint?: string;
	/** In the OpenAPI document and the documentation. */
	readonly description: string;
	/** Further sentences for the documentation, as Markdown. */
	readonly details?: string;
	/** True: every snapshot has it. A snapshot from before a later setting gets the initial value. */
	readonly isInEverySnapshot?: true;
};

/** Settings that are numbers, by name. */
export type NumberRows<Name extends string> = Readonly<
	Record<Name, Setting & { readonly schema: ReturnType<typeof whole>; readonly initial: number }>
>;
/** Settings that are on or off, by name. */
export type SwitchRows<Name extends string> = Readonly<
	Record<
		Name,
		Omit<Setting, 'hint'> & {
			readonly initial: boolean;
			/** Help text of the form: what is so in each state. */
			readonly hint: { readonly on: string; readonly off: string };
		}
	>
>;
/** A setting that is one of several values. */
export type ChoiceRow<Value extends string> = Setting & {
	readonly schema: v.GenericSchema<Value>;
	readonly initial: Value;
	/** What forms call each value. */
	readonly options: Readonly<Record<Value, string>>;
};

/** Any such setting. */
export type AnyChoice = Setting & { readonly initial: string; readonly options: Readonly<Record<string, string>> };

/** The rows as a list, each with its name and path. */
export function rowsOf<Name extends string, Prefix extends string, Row>(
	rows: Readonly<Record<Name, Row>>,
	prefix: Prefix
): readonly (Row & { readonly name: Name; readonly path: `${Prefix}${Name}` })[];
export function rowsOf<Row extends object>(rows: Readonly<Record<string, Row>>, prefix: string) {
	return Object.entries(rows).map(([name, row]) => ({ ...row, name, path: prefix + name }));
}

/** How a snapshot has a setting. */
export function inSnapshot<Value extends number | boolean | string>(row: {
	readonly schema: v.GenericSchema<Value>;
	readonly initial: Value;
	readonly isInEverySnapshot?: true;
}): v.GenericSchema<Value | undefined, Value> {
	return row.isInEverySnapshot === true ? row.schema : v.optional(row.schema, row.initial);
}
