import type { CauseOf } from '#api/checks.ts';

/** Why a document was not fetched. `found` is what the host saw, for the trace. */
type Rejected<Cause> = { readonly cause: Cause; readonly found: string };

/** A fetched document, and for how many seconds it may be cached. */
export type FetchedDocument = { readonly body: Uint8Array; readonly maxAge: number };

/** How a host fetches the documents of clients. It never rejects. `sharer`: the user or address that caused it, which holds a part of what the host can do only. */
export type DocumentHost = {
	/** Resolves the host of a URL, once. The address is one that a document may be fetched from. */
	readonly locate: (
		url: URL,
		sharer: string
	) => Promise<{ readonly address: string } | Rejected<CauseOf<'client_document.address_allowed'>>>;
	/** Fetches a document from the address that `locate` returned. */
	readonly fetch: (
		url: URL,
		address: string,
		sharer: string
	) => Promise<FetchedDocument | Rejected<CauseOf<'client_document.fetched'>>>;
};
