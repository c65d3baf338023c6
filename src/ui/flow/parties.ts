import type { Component } from 'svelte';
import AppWindow from 'icon:app-window';
import Boxes from 'icon:boxes';
import Database from 'icon:database';
import HatGlasses from 'icon:hat-glasses';
import ShieldCheck from 'icon:shield-check';
import User from 'icon:user';
import { partyLabels, type PartyId } from './flow-parties.ts';

export type Party = {
	readonly id: PartyId;
	readonly label: string;
	readonly icon: Component<{ 'aria-hidden'?: 'true' }>;
};

const party = (id: PartyId, icon: Party['icon']): Party => ({ id, label: partyLabels[id], icon });

export const parties: Record<PartyId, Party> = {
	user: party('user', User),
	browser: party('browser', AppWindow),
	application: party('application', Boxes),
	thief: party('thief', HatGlasses),
	authorization: party('authorization', ShieldCheck),
	resource: party('resource', Database)
};
