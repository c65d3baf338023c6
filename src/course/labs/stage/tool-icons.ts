import type { Component } from 'svelte';
import Database from 'icon:database';
import Newspaper from 'icon:newspaper';
import Pause from 'icon:pause';
import Send from 'icon:send';
import Server from 'icon:server';
import User from 'icon:user';
import type { Lab } from '../engine/lab.ts';

/** The icons of what the attacker has. */
export const toolIcons: Readonly<Record<Lab['tools'][number]['kind'], Component<{ 'aria-hidden'?: 'true' }>>> = {
	account: User,
	hold: Pause,
	page: Newspaper,
	server: Server,
	store: Database,
	request: Send
};
