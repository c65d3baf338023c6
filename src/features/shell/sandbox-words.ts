import type { SandboxStatus } from '#api/control/status.ts';

/** What the interface calls a sandbox: its name, `Default sandbox`, or the first characters of its id. */
export function sandboxLabel({ id, name }: Pick<SandboxStatus, 'id' | 'name'>): string {
	return name ?? (id === 'root' ? 'Default sandbox' : `Sandbox ${id.slice(0, 6)}`);
}
