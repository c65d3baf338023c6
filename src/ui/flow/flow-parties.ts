/** The parties of a flow, in the order in which the inspector draws them. */
export const flowParties = ['user', 'browser', 'application', 'authorization', 'resource'] as const;
export type FlowParty = (typeof flowParties)[number];

/** The parties of a lesson: a log does not know a thief, a lesson does. */
export const lessonParties = ['user', 'browser', 'application', 'thief', 'authorization', 'resource'] as const;

/** The parties of all diagrams. Each has one color (`--party-…`), one icon and one label everywhere. */
export type PartyId = (typeof lessonParties)[number];

/** The parties that have a column where those are used: a user and a thief have one only where they send something. */
export const columnsFor = (used: ReadonlySet<PartyId>): readonly PartyId[] =>
	lessonParties.filter((party) => (party !== 'user' && party !== 'thief') || used.has(party));

export const partyLabels: Record<PartyId, string> = {
	user: 'User',
	browser: 'Browser',
	application: 'Application',
	thief: 'Thief',
	authorization: 'Authorization server',
	resource: 'Resource server'
};
