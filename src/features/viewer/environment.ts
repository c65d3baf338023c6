import type { Lock } from '#client/oauth/lock.ts';
import type { Fetch } from '#client/oauth/send-request.ts';
import type { SharedStorage } from '#client/storage/shared-storage.ts';
import type { TextStorage } from '#client/storage/web-storage.ts';
import type { XmlParser } from '#client/xml-to-json.ts';

/** What the page needs of its browser. Tests pass their own. */
export type Environment = {
	readonly storage: SharedStorage;
	/** Whether `storage` survives the page. */
	readonly isPersistent: boolean;
	readonly tabStorage: TextStorage;
	/** Prefix of the keys in `tabStorage`. */
	readonly namespace: string;
	/** Identifies the tab, also after a reload. Unguessable. */
	readonly browserSession: string;
	readonly lock: Lock;
	readonly fetch: Fetch;
	/** The virtual address that requests count for; empty: the network address. */
	readonly virtualAddress: () => string;
	readonly parseXml: XmlParser;
	/** This machine's clock, in milliseconds since 1970. */
	readonly now: () => number;
	/** A signal that aborts after this number of milliseconds. */
	readonly timeout: (milliseconds: number) => AbortSignal;
	/** A number from 0 up to 1. */
	readonly random: () => number;
	readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
	/** Calls `save` whenever the page may be about to close. */
	readonly onPageHide: (save: () => void) => void;
};
