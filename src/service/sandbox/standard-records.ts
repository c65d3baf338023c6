import type { DocumentFault } from '#api/client-document.ts';

/** An authorization request that a client pushed (RFC 9126). Keyed by the digest of what is random in its `request_uri`. */
export type PushedRequest = {
	readonly flow: string;
	readonly client_id: string;
	/** The parameters, still encoded. */
	readonly query: string;
	/** What it counts against the limit: more for long queries. */
	readonly weight: number;
	/** Milliseconds, sandbox clock. */
	readonly validUntil: number;
	/** It stays until it expires, so that a second use is recognized. */
	readonly isUsed?: true;
	readonly expires: number;
	/** The network address of the client. */
	readonly createdBy?: string;
};

/** A device that waits for its user (RFC 8628). Keyed by its user code, without the hyphen. */
export type DeviceAuthorization = {
	readonly flow: string;
	readonly client_id: string;
	/** Digest of the device code. */
	readonly device: string;
	readonly scopes: readonly string[];
	/** How long the device must wait between two polls, in seconds. */
	readonly interval: number;
	/** The last poll, and the end of both codes. Milliseconds, sandbox clock. */
	readonly polled?: number;
	readonly validUntil: number;
	/** What the user decided, with the grant of a user who allowed access. */
	readonly decision?: 'denied' | DeviceGrant;
	/** The tokens are issued. It stays until it expires, so that a later poll is recognized. */
	readonly isUsed?: true;
	readonly expires: number;
	/** The network address of the device. */
	readonly createdBy?: string;
};

/** Who allowed a device access, under which grant. `authTime`: when the user signed in, in Unix seconds by the sandbox clock. */
export type DeviceGrant = { readonly username: string; readonly grant: string; readonly authTime: number | undefined };

/** A DPoP proof that was used, so that it works once (RFC 9449, section 11.1). Keyed by the digest of its key and `jti`. */
export type UsedProof = { readonly expires: number };

/** The assertions that a client used (RFC 7523, section 3). Keyed by its `client_id`: what is used is kept until its `exp`. */
export type UsedAssertions = {
	/** The digest of each `jti`, and when the assertion expires: milliseconds, sandbox clock. */
	readonly used: readonly (readonly [digest: string, until: number])[];
	/** When the last one expires. */
	readonly expires: number;
};

/** A document that a sandbox hosts, as its developer wrote it. Keyed by its name. `fault`: what is wrong with its server. */
export type HostedDocument = { readonly text: string; readonly fault?: Exclude<DocumentFault, 'none'> };
