import type { Reply, ScriptedClient } from '#course/lessons/scripted-client.ts';

/** The name that is found slowly, and counts as many requests. */
export const slowName = 'Test Slow';

export const search = (client: ScriptedClient, token: string): Promise<Reply> => client.character(token, slowName);
