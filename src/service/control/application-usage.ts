import type { Context } from '../core/context.ts';

/** What is deleted with an application: the access that users granted it, and its live credentials. */
export type ApplicationUsage = {
	readonly grants: number;
	readonly codes: number;
	readonly access_tokens: number;
	readonly refresh_tokens: number;
};

/** Counts what is deleted with an application. */
export async function countUsage(context: Context, client_id: string): Promise<ApplicationUsage> {
	const { store } = context.sandbox;
	const own = (record: { readonly client_id: string }) => record.client_id === client_id;
	const recordsOf = async <K extends 'grant' | 'code' | 'access_token' | 'refresh_token'>(kind: K) =>
		(await store.list(kind)).map(([, record]) => record).filter(own);
	const grants = new Set((await recordsOf('grant')).map(({ id }) => id));
	const families = new Set((await store.list('token_family')).map(([id]) => id));
	const isActive = ({ grant, family }: { readonly grant: string; readonly family: string }) =>
		grants.has(grant) && families.has(family);
	const codes = (await recordsOf('code')).filter(
		({ grant, consumedBy, validUntil }) => grants.has(grant) && consumedBy === undefined && context.now() < validUntil
	);
	return {
		grants: grants.size,
		codes: codes.length,
		access_tokens: (await recordsOf('access_token')).filter(isActive).length,
		refresh_tokens: (await recordsOf('refresh_token')).filter(isActive).length
	};
}
