import * as v from 'valibot';

/** What a program finds in `config` of its surroundings. */
export type ProgramConfig = {
	readonly id: string;
	readonly secret: string;
	/** The issuer of today's standards: the base URL. */
	readonly issuer: string;
	readonly redirectUri: string;
	readonly authorizationUrl: string;
	readonly tokenUrl: string;
	readonly revocationUrl: string;
	readonly characterUrl: string;
	readonly rateLimitsUrl: string;
	readonly scope: string;
};

const requestKinds = ['fetch', 'open', 'get', 'set', 'delete', 'sleep', 'timer', 'clear', 'digest'] as const;
export type RequestKind = (typeof requestKinds)[number];

const line = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)));
const id = v.pipe(v.number(), v.safeInteger());
const text = v.pipe(v.string(), v.maxLength(10_000));
const error = v.object({ name: text, message: text, line });

/** What a program may say. It can send anything. */
export const programMessage = v.variant('type', [
	v.object({ type: v.literal('pong') }),
	v.object({ type: v.literal('started'), names: v.pipe(v.array(text), v.maxLength(200)) }),
	v.object({ type: v.literal('failed'), error }),
	v.object({ type: v.literal('request'), id, kind: v.picklist(requestKinds), value: v.unknown(), line }),
	v.object({ type: v.literal('log'), level: v.picklist(['log', 'error', 'thrown']), text, line }),
	v.object({ type: v.literal('returned'), id, value: v.unknown(), text }),
	v.object({ type: v.literal('threw'), id, error })
]);

/** What a program hears. */
export type ToProgram = Message & { readonly now: number };

export type Message =
	| { readonly type: 'ping' }
	| { readonly type: 'start'; readonly modules: Readonly<Record<string, string>>; readonly config: ProgramConfig }
	| { readonly type: 'call'; readonly id: number; readonly name: string; readonly parameters: readonly unknown[] }
	| { readonly type: 'response'; readonly id: number; readonly value: unknown; readonly error?: undefined }
	| {
			readonly type: 'response';
			readonly id: number;
			readonly error: { readonly name: string; readonly message: string };
	  };

/** What a program says. */
export type ProgramMessage = v.InferOutput<typeof programMessage>;
