import type { Component } from 'svelte';
import AppWindow from '@lucide/svelte/icons/app-window';
import Boxes from '@lucide/svelte/icons/boxes';
import Database from '@lucide/svelte/icons/database';
import ShieldCheck from '@lucide/svelte/icons/shield-check';

/** The four parties of every flow. Each has one color (`--party-…`) and one icon everywhere. */
export type PartyId = 'application' | 'browser' | 'authorization' | 'resource';
export type Party = {
	readonly id: PartyId;
	readonly label: string;
	/** For narrow diagrams. */
	readonly short: string;
	readonly icon: Component<{ 'aria-hidden'?: 'true' }>;
};

export const parties: Record<PartyId, Party> = {
	application: { id: 'application', label: 'Application', short: 'App', icon: Boxes },
	browser: { id: 'browser', label: 'Browser', short: 'Browser', icon: AppWindow },
	authorization: { id: 'authorization', label: 'Authorization server', short: 'Auth', icon: ShieldCheck },
	resource: { id: 'resource', label: 'Resource server', short: 'Resource', icon: Database }
};
