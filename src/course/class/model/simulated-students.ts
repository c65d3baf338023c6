import { characterPath } from '#client/service-urls.ts';
import { orNoResponse, type ScriptedClient } from '../../lessons/scripted-client.ts';

/** What a simulated student does, and where in the course. */
export type SimulatedStudent = {
	readonly progress: {
		readonly lesson: string;
		readonly step: number;
		readonly is_done: boolean;
		readonly prediction: string;
	};
	readonly hand?: true;
	readonly run: (client: ScriptedClient) => Promise<unknown>;
};

/** @param step how many steps are done, at most. All of them where the lesson is done */
const at = (lesson: string, step: number, prediction: number, isDone = false) => ({
	lesson,
	step,
	is_done: isDone,
	prediction: String(prediction)
});

async function twice(run: () => Promise<unknown>): Promise<void> {
	await run();
	await run();
}

/** An authorization request with a changed redirect URI. */
const withUri = (change: (uri: string) => string) => (client: ScriptedClient) =>
	twice(() => client.authorize({ redirect_uri: change(client.viewer.redirect_uri) }).catch(() => undefined));

async function readCharacter(client: ScriptedClient, scheme = 'OAuth', name = 'Mara Vell'): Promise<void> {
	const token = (await client.signIn()).field('access_token');
	await client.send(client.baseUrl + characterPath(name), { headers: { authorization: `${scheme} ${token}` } });
}

const postToken = (client: ScriptedClient, init: RequestInit) =>
	client.send(`${client.baseUrl}/ws/oauth2/token/`, { method: 'POST', ...init });

async function withHeader(client: ScriptedClient): Promise<void> {
	const { client_id, client_secret, redirect_uri } = client.viewer;
	const fields = { grant_type: 'authorization_code', code: await client.code(), redirect_uri };
	await postToken(client, {
		headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
		body: new URLSearchParams(fields)
	});
}

async function codeTwice(client: ScriptedClient): Promise<void> {
	const code = await client.code();
	await twice(() => client.exchange(code));
}

/** The mistakes that students make most, and some students without mistakes. */
export const students: readonly SimulatedStudent[] = [
	{ progress: at('one-letter-off', 1, 0), hand: true, run: withUri((uri) => `${uri}/`) },
	{ progress: at('whole-trip', 1, 1), run: withHeader },
	{ progress: at('uninvited-code', 2, 0), run: codeTwice },
	{ progress: at('whole-trip', 3, 0), run: (client) => readCharacter(client) },
	{ progress: at('one-letter-off', 1, 1), run: withUri((uri) => uri.replace('https:', 'http:')) },
	{ progress: at('whole-trip', 1, 0), run: (client) => client.code() },
	{ progress: at('whole-trip', 2, 0), run: (client) => readCharacter(client, 'Bearer') },
	{ progress: at('whole-trip', 4, 1, true), run: (client) => readCharacter(client) },
	{ progress: at('one-letter-off', 1, 0), run: withUri((uri) => uri.replace('localhost', '127.0.0.1')) },
	{ progress: at('whole-trip', 1, 1), run: withHeader },
	{
		progress: at('slow-is-fast', 1, 0),
		run: async (client) => {
			const token = (await client.signIn()).field('access_token');
			for (let call = 0; call < 40; call++) await orNoResponse(client.character(token));
		}
	},
	{
		progress: at('whole-trip', 1, 0),
		run: async (client) => {
			const code = await client.code();
			await twice(() => client.exchange(code, client.viewer, { client_secret: 'viewer-secrets' }));
		}
	},
	{ progress: at('whole-trip', 3, 0), run: (client) => readCharacter(client, 'OAuth', 'Zoë Šťastná') },
	{
		progress: at('uninvited-code', 3, 1),
		hand: true,
		run: async (client) => {
			const { code_challenge } = await client.pkce();
			await client.exchange(await client.code({ code_challenge, code_challenge_method: 'S256' }));
		}
	},
	{
		progress: at('whole-trip', 1, 1),
		run: (client) => postToken(client, { headers: { 'content-type': 'application/json' }, body: '{"code":"x"}' })
	},
	{ progress: at('whole-trip', 4, 0, true), run: (client) => readCharacter(client) },
	{ progress: at('asking-for-less', 1, 0), run: (client) => client.authorize({ scope: 'characters' }) },
	{ progress: at('uninvited-code', 1, 2), run: (client) => client.signIn() },
	{ progress: at('whole-trip', 2, 0), run: (client) => client.authorize({ client_id: 'my-app' }) },
	{
		progress: at('one-refresh-for-all', 1, 1),
		run: async (client) => {
			const tokens = await client.signIn({ access_type: 'offline' });
			await client.refresh(tokens.field('refresh_token'));
		}
	}
];
