import type { SeatFacts } from '#evidence/signals/signal.ts';
import type { Fields, ScriptedClient } from '#features/lessons/scripted-client.ts';

/** What a trace needs: a client in a sandbox, and a clock that only the trace moves. */
export type Student = {
	readonly client: ScriptedClient;
	/** Moves the clock. @param milliseconds since the last request */
	readonly wait: (milliseconds: number) => void;
};

/** What one student does, and what is known of the seat. */
export type Trace = { readonly run: (student: Student) => Promise<unknown>; readonly seat?: Partial<SeatFacts> };

/** One trace that raises a signal, and similar ones that do not raise it. */
export type SignalCase = {
	readonly id: string;
	readonly text?: string;
	readonly raises: Trace;
	readonly quiet: readonly [Trace, Trace];
};

export const authorize = ({ client }: Student, asked: Fields = {}) =>
	client.send(
		`${client.baseUrl}/ws/oauth2/auth/?${new URLSearchParams({
			response_type: 'code',
			client_id: client.viewer.client_id,
			redirect_uri: client.viewer.redirect_uri,
			scope: 'character_read',
			...Object.fromEntries(Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined))
		}).toString()}`,
		{ headers: { accept: 'text/html' } }
	);
export const token = async ({ client }: Student, asked: Fields = {}) =>
	(await client.signIn(asked)).field('access_token');
export const call = ({ client }: Student, authorization: string, name = 'Mara%20Vell') =>
	client.send(`${client.baseUrl}/ws/v2.0/character/${name}`, { headers: { authorization } });
export const times = async (count: number, run: () => Promise<unknown>) => {
	for (let at = 0; at < count; at++) await run();
};
export const exchangeWith = async (student: Student, more: Fields) => {
	const code = await student.client.code();
	return student.client.exchange(code, student.client.viewer, more);
};
