import type { SeatFacts } from '#evidence/signals/signal.ts';
import type { Fields, ScriptedClient } from '#course/lessons/scripted-client.ts';

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
	readonly quiet: readonly [Trace, Trace, ...(readonly Trace[])];
};

/** What a page of this site sends, and what a browser sends that opens a page. */
export const ofThisSite = { 'sec-fetch-site': 'same-origin' };
const ofNavigation = { accept: 'text/html' };

export const limits = ({ client }: Student, change: object) =>
	client.control.request('PATCH /control/settings', { body: { limits: change } });
export const authorize = ({ client }: Student, asked: Fields = {}, headers: Record<string, string> = ofNavigation) => {
	const { client_id, redirect_uri } = client.viewer;
	const fields: Fields = {
		response_type: 'code',
		client_id,
		redirect_uri,
		scope: 'character_read',
		state: 's',
		...asked
	};
	const sent = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
	return client.send(`${client.baseUrl}/ws/oauth2/auth/?${new URLSearchParams(sent).toString()}`, { headers });
};
export const token = async ({ client }: Student, asked: Fields = {}) =>
	(await client.signIn(asked)).field('access_token');
export const call = ({ client }: Student, authorization: string, name = 'Mara%20Vell', headers = {}) =>
	client.send(`${client.baseUrl}/ws/v2.0/character/${name}`, { headers: { authorization, ...headers } });
export const times = async (count: number, run: () => Promise<unknown>) => {
	for (let at = 0; at < count; at++) await run();
};
/** The load test of the viewer: four requests at a time, over the limit as well. */
export const loadTest = async (student: Student, count: number) => {
	const access = await token(student);
	await times(count / 4, async () => {
		student.wait(300);
		await Promise.all(
			Array.from({ length: 4 }, () => call(student, `OAuth ${access}`, undefined, ofThisSite).catch(() => undefined))
		);
	});
};
export const exchangeWith = async (student: Student, more: Fields) => {
	const code = await student.client.code();
	return student.client.exchange(code, student.client.viewer, more);
};
