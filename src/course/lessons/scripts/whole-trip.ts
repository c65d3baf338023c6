import type { Script } from '../scripted-client.ts';

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const tokens = await client.signIn();
	await client.character(tokens.field('access_token'));
};
