import Box from 'icon:app-window';
import Database from 'icon:database';
import Files from 'icon:files';
import KeyRound from 'icon:file-key-2';
import ShieldCheck from 'icon:shield-check';
import type { Component } from 'svelte';
import type { ForeignRole } from '#evidence/har/har-reading.ts';

/** A party of a foreign sign-in, whose color its exchanges have. */
export type RoleParty = 'application' | 'authorization' | 'resource' | 'browser';

/** The party that receives the requests of a role. */
export function partyOf(role: ForeignRole): RoleParty {
	if (role === 'callback' || role === 'application') return 'application';
	if (role === 'foreign') return 'browser';
	return role === 'resource' ? 'resource' : 'authorization';
}

const icons: Readonly<Record<RoleParty, Component<{ 'aria-hidden'?: 'true' }>>> = {
	application: Box,
	authorization: ShieldCheck,
	resource: Database,
	browser: Files
};

export function iconOf(role: ForeignRole): Component<{ 'aria-hidden'?: 'true' }> {
	return role === 'keys' ? KeyRound : icons[partyOf(role)];
}
