import { expect } from 'vitest';
import type { Sandbox } from '../conformance/sandbox.ts';

/** What a client knows that the service has done. */
export type Acknowledged = { readonly codes: string[]; readonly revoked: string[]; readonly applications: string[] };

export const noChanges = (): Acknowledged => ({ codes: [], revoked: [], applications: [] });

/** Waits for 5 to 30 changes, however fast the machine is, and then for a moment that can be between two responses. */
export async function untilSomeChanges(known: Acknowledged): Promise<void> {
	const least = 5 + Math.random() * 25;
	await expect.poll(() => changesIn(known), { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(least);
	await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
}

/**
 * Expects that nothing of it was lost, and deletes the applications.
 * @returns how many changes there were
 */
export async function expectKept(at: Sandbox, known: Acknowledged): Promise<number> {
	for (const code of known.codes) expect((await at.exchange(code)).status, 'a used code').toBe(400);
	for (const token of known.revoked) expect((await at.refresh(token)).status, 'a revoked token').toBe(400);
	const { text } = await at.controlled('GET', 'applications');
	for (const id of known.applications) expect(text, 'an application').toContain(id);
	for (const id of known.applications) await at.controlled('DELETE', `applications/${id}`);
	return changesIn(known);
}

/** How much of it was lost. */
export async function lostOf(at: Sandbox, known: Acknowledged): Promise<number> {
	let lost = 0;
	for (const code of known.codes) if ((await at.exchange(code)).status !== 400) lost++;
	for (const token of known.revoked) if ((await at.refresh(token)).status !== 400) lost++;
	const { text } = await at.controlled('GET', 'applications');
	return lost + known.applications.filter((id) => !text.includes(id)).length;
}

/** How many changes it knows. */
export function changesIn({ codes, revoked, applications }: Acknowledged): number {
	return codes.length + revoked.length + applications.length;
}
