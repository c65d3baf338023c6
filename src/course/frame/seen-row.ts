import type { Component } from 'svelte';

/** A lane of the messages. */
export type Lane = {
	readonly id: string;
	readonly label: string;
	/** A CSS color. */
	readonly color: string;
	readonly icon?: Component<{ 'aria-hidden'?: 'true' }>;
};

/** `open`: it did not arrive yet. `rejected`: its receiver rejected it. `unsent`: it was expected, and not sent. */
export type ArrowKind = 'sent' | 'open' | 'rejected' | 'unsent';

/** A row of what the service saw. */
export type SeenRow = {
	readonly id: string;
	/** `2–7` of several equal messages. Default: its position. */
	readonly number?: string;
	/** Ids of lanes. */
	readonly from: string;
	readonly to: string;
	/** `POST token · JSON body`. */
	readonly message: string;
	/** A value that can be followed. */
	readonly follow?: string | undefined;
	readonly status?: number | undefined;
	readonly outcome: string;
	readonly tone: 'plain' | 'ok' | 'caution' | 'error' | 'waiting' | 'held';
	/** Default: `sent`. */
	readonly arrow?: ArrowKind;
	/** The row that decides. */
	readonly isDecisive?: boolean;
};
