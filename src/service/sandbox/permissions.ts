import type { Permission } from '#api/control/world.ts';
import { identityScopes } from '#api/identity-scopes.ts';
import type { SandboxStore } from '#store/store.ts';
import type { Records } from './records.ts';

type OfSandbox = { readonly store: Pick<SandboxStore<Records>, 'list'> };

/** The permissions of a sandbox, in the order of its world. */
export async function permissionsOf({ store }: OfSandbox): Promise<Permission[]> {
	return (await store.list('permission')).map(([, permission]) => permission);
}

/** What permissions and the scopes of OpenID Connect let an application do, in words, by scope. */
export async function meaningsOf(sandbox: OfSandbox): Promise<ReadonlyMap<string, string>> {
	const permissions = await permissionsOf(sandbox);
	return new Map([...identityScopes, ...permissions.map(({ scope, consent }) => [scope, consent] as const)]);
}

/** The permissions that open the characters of all users. A request for a character needs one of them, if there is any. */
export function readingPermissions(permissions: readonly Permission[]): Permission[] {
	return permissions.filter(({ of, opens }) => of === 'everybody' && opens.length > 0);
}
