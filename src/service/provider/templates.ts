import type { Template } from '#api/providers/dialect-schema.ts';
import type { Context } from '../core/context.ts';
import { apiOfProvider, issuerOfProvider, partsOfUrl } from './provider-urls.ts';

/** What templates name. Undefined: a field or an item that is this value alone is left out. */
export type Values = Readonly<Record<string, unknown>>;

const alone = /^\{(\w+)\}$/;

/** How many characters values can still add. Anyone writes worlds, and may name a long value thousands of times. */
type Room = { left: number };

const wholeRoom = (): Room => ({ left: 500_000 });

/** Puts values in place of their names in braces, and nothing where there is no room left. */
export function fill(template: Template, values: Values, room = wholeRoom()): unknown {
	if (typeof template === 'string') return fillText(template, values, room);
	if (typeof template !== 'object' || template === null) return template;
	if (isList(template)) return template.map((part) => fill(part, values, room)).filter((part) => part !== undefined);
	return Object.fromEntries(Object.entries(fillAll(template, values, room)).filter(([, part]) => part !== undefined));
}

/** The values of templates by name. */
export function fillAll(
	templates: Readonly<Record<string, Template>> = {},
	values: Values = {},
	room = wholeRoom()
): Record<string, unknown> {
	return Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, fill(template, values, room)]));
}

function fillText(text: string, values: Values, room: Room): unknown {
	const valueOf = (name = '') => {
		// Every object has a constructor, which is no value.
		const value = Object.hasOwn(values, name) ? values[name] : undefined;
		room.left -= textOf(value).length;
		return room.left < 0 ? undefined : value;
	};
	const [whole, name] = alone.exec(text) ?? [];
	return whole === undefined ? text.replace(/\{(\w+)\}/g, (_, one: string) => textOf(valueOf(one))) : valueOf(name);
}

/** Header fields with their values; without those that have none. */
export function fillFields(fields: Readonly<Record<string, string>>, values: Values): string[] {
	return Object.entries(fillAll(fields, values)).flatMap(([name, value]) =>
		value === undefined ? [] : [name, textOf(value)]
	);
}

function isList(template: Template): template is readonly Template[] {
	return Array.isArray(template);
}

/** A value of a response as text. Lists and objects as JSON, a missing one as nothing. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return value === undefined ? '' : JSON.stringify(value);
}

/** What templates may name of the user, the application, the URL and the time. By default those of the request. */
export function userValues(context: Context, username = context.username, client_id = context.client_id): Values {
	const { sandbox, options, id, flow } = context;
	const { accounts } = sandbox.seed.world;
	const at = accounts.findIndex((account) => account.username === username);
	const account = accounts[at];
	const now = sandbox.now();
	const keyOf = (kind: string, name: string | undefined) =>
		name &&
		options
			.digest(`${kind} ${name}`)
			.replace(/[^A-Za-z0-9]/g, 'x')
			.slice(0, 10);
	return {
		username,
		client_id,
		user_name: account?.name ?? username,
		user_email: account?.email,
		// Providers have numbers and random ids. Each user keeps the same one.
		user_number: username === undefined ? undefined : 1_000_001 + Math.max(0, at),
		user_key: keyOf('user', username),
		client_key: keyOf('client', client_id),
		session_key: keyOf('session', flow),
		...partsOfUrl(context),
		issuer: issuerOfProvider(context),
		api_url: apiOfProvider(context),
		base_url: sandbox.base_url,
		request_id: id,
		now_seconds: Math.floor(now / 1000),
		now_milliseconds: String(now),
		now_text: `${new Date(now).toISOString().slice(0, 19).replace('T', ' ')}Z`
	};
}
