import type { Component } from 'svelte';
import AppWindow from '@lucide/svelte/icons/app-window';
import Boxes from '@lucide/svelte/icons/boxes';
import Database from '@lucide/svelte/icons/database';
import ShieldCheck from '@lucide/svelte/icons/shield-check';
import User from '@lucide/svelte/icons/user';
import { partyLabels, type FlowParty } from '#client/inspector/flow-parties.ts';

/** The parties of every flow. Each has one color (`--party-…`) and one icon everywhere. */
export type PartyId = FlowParty;
export type Party = {
	readonly id: PartyId;
	readonly label: string;
	/** For narrow diagrams. */
	readonly short: string;
	readonly icon: Component<{ 'aria-hidden'?: 'true' }>;
};

const party = (id: PartyId, short: string, icon: Party['icon']): Party => ({ id, label: partyLabels[id], short, icon });

export const parties: Record<PartyId, Party> = {
	user: party('user', 'User', User),
	browser: party('browser', 'Browser', AppWindow),
	application: party('application', 'App', Boxes),
	authorization: party('authorization', 'Auth', ShieldCheck),
	resource: party('resource', 'Resource', Database)
};
