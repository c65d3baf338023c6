/**
 * What one tab keeps for itself alone, over a reload. It is read and written at once, so that it can still be done while the
 * page goes; where storage is refused or full, it stays as it is.
 */
export interface Drawer {
	/** What was put into it last; undefined: nothing. Storage outlives versions of the page, so it may be of any form. */
	read(): unknown;
	/** @param value to be kept in place of the last one; plain data */
	write(value: unknown): void;
	/** Calls `work` each time that this may be the last moment of the page. */
	beforeLeaving(work: () => void): void;
}
