/** The parties of a flow, in the order in which the inspector draws them. */
export const flowParties = ['user', 'browser', 'application', 'authorization', 'resource'] as const;
export type FlowParty = (typeof flowParties)[number];

export const partyLabels: Record<FlowParty, string> = {
	user: 'User',
	browser: 'Browser',
	application: 'Application',
	authorization: 'Authorization server',
	resource: 'Resource server'
};
