import type { ProbeId } from '#api/exam.ts';

/** The groups of probes, in their order. */
export const probeGroups = ['sign-in', 'attacker', 'exchange', 'token', 'limits', 'end'] as const;

export type ProbeGroup = (typeof probeGroups)[number];

/** What is known of a probe without running it. */
export type ProbeDescription = {
	readonly id: ProbeId;
	readonly group: ProbeGroup;
	/** For lists. */
	readonly title: string;
	/** What the service, the browser or the user does, in a sentence. */
	readonly does: string;
	/** The sections that allow it: `§ 3.1` of the specification, or of an RFC. */
	readonly legal: string;
	/** The sections of today's standards that allow it, if they are others. */
	readonly legalInStandard?: string;
	/** What the client must be able to do, for users. */
	readonly needs: string;
	/** The rules that need it. Rules about any traffic are not among them. */
	readonly judges: readonly string[];
	/** Whether a good client rejects the sign-in. Another sign-in then shows that it still works. */
	readonly isRejected?: true;
	/** Whether the exam signs in and reads a character before. */
	readonly startsSignedIn?: true;
	/** The verb of the driver that it needs, if not all drivers have it. */
	readonly verb?: 'attack' | 'signOut';
};
