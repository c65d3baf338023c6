import type { Fault } from '#api/control/faults.ts';
import type { Settings } from '#api/control/settings.ts';
import type { SnapshotRecord } from '#api/control/snapshot.ts';
import type { Permission } from '#api/control/world.ts';
import type { SigningAlgorithm } from '#api/protocol/openid.ts';
import type { ClassLessonsRecord, ClassRecord, SeatId, SeatProgramRecord, SeatRecord } from './class-records.ts';
import type { DocumentFault } from '#api/control/client-documents.ts';

/** The two kinds of application (specification, section 1). */
export type ApplicationKind = Application['kind'];

/** A client secret as it is stored: the digest of salt and secret. */
export type HashedSecret = Application['secret'];

/** A user account. Keyed by `username`. */
export type Account = SnapshotRecord<'account'>;

/** A character. Keyed by its name in Unicode normal form C. */
export type Character = SnapshotRecord<'character'>;

/** Who uses up the limit of a kind: the network address of the client that asked for the record. Snapshots omit it. */
type Owned = { readonly createdBy?: string };

/** The records of one kind that belong to one account, oldest first. Keyed by `listKey`. */
export type RecordList = SnapshotRecord<'record_list'>;

/** A registered application. Keyed by `client_id`. It has an owner if it registered itself. */
export type Application = Owned & SnapshotRecord<'application'>;

/** What a user allowed an application, or what it may do for itself. Keyed by `grantKey`. A revoked grant is deleted; a later one has another `id`. */
export type Grant = SnapshotRecord<'grant'>;

/** A grant of a user. */
export type UserGrant = Grant & Pick<RefreshToken, 'username'>;

/** Everything that one code exchange led to lives as long as its family. Keyed by a random id. */
export type TokenFamily = Owned & SnapshotRecord<'token_family'>;

/** An authorization code. Keyed by its digest. Kept after it died, so that a second use is recognized. */
export type AuthorizationCode = Owned & SnapshotRecord<'code'>;

/** An access token. Keyed by its digest. */
export type AccessToken = Owned & SnapshotRecord<'access_token'>;

/** A refresh token. Keyed by its digest. */
export type RefreshToken = SnapshotRecord<'refresh_token'>;

/** What an application asks for in an authorization request. */
export type AuthorizationRequest = {
	readonly client_id: string;
	readonly redirect_uri: string;
	/** The raw, still encoded value; undefined where none was sent. */
	readonly state: string | undefined;
	readonly scopes: readonly string[];
	readonly offline: boolean;
	readonly renew: boolean;
	readonly challenge: string | undefined;
	/** Where the client wants to use its tokens (RFC 8707). Absent: at all resources. */
	readonly resources?: readonly string[];
	/** The thumbprint of the key that the code is bound to (RFC 9449, section 10). */
	readonly jkt?: string;
	/** Absent: the response is in the query of the redirect URI. */
	readonly responseMode?: 'form_post' | undefined;
	/** What a request for an ID token adds. Absent: it asks for none. */
	readonly openid?: OpenidRequest | undefined;
};

/** The parameters of OpenID Connect (Core 1.0, section 3.1.2.1). */
export type OpenidRequest = {
	/** Returned in the ID token. */
	readonly nonce: string | undefined;
	/** The user that `id_token_hint` names. No other may get a code. */
	readonly expectedUser?: string | undefined;
	/** What the sign-in page shows as the user name. */
	readonly loginHint?: string | undefined;
	/** The service must not show a page. */
	readonly isSilent: boolean;
	/** The user must sign in again, although the browser has a session. */
	readonly mustSignIn: boolean;
	/** The user must decide again, although they granted everything before. */
	readonly mustConsent: boolean;
};

/** An authorization request that waits for the user to sign in and decide. Keyed by its digest. */
export type PendingConsent = AuthorizationRequest &
	Owned & {
		/** The flow that the request started. */
		readonly flow?: string | undefined;
		/** Digest of the browser's cookie. Undefined until the user signs in, because a visit sets no cookie. */
		readonly browser: string | undefined;
		/** What it counts against the limit: more for long URIs and states. */
		readonly weight: number;
		/** The user that the consent page was shown to. */
		readonly promptedUser: string | undefined;
		/** The response is sent. It stays until it expires, for a user who goes back to its pages. */
		readonly isCompleted?: true;
		readonly expires: number;
	};

/** The session of a browser in which a user is signed in. Keyed by the digest of its cookie. */
export type BrowserSession = Owned & {
	readonly username: string;
	/** Digests of the cookies that this browser had before, so that its other tabs can finish. */
	readonly previousIds: readonly string[];
	/** When the user signed in: Unix seconds, sandbox clock. Sessions of earlier versions have none. */
	readonly authTime?: number;
	readonly expires: number;
};

/** Calls counted for one address and one pattern. Keyed by both. It has an owner if the address is a virtual one. */
export type RateLimitWindow = Owned & SnapshotRecord<'rate_limit_window'>;

/** A blacklisted address. Keyed by it. It has an owner if the address is a virtual one. */
export type BlacklistEntry = Owned & SnapshotRecord<'blacklist_entry'>;

/** A support ticket (specification, section 8.8). Keyed by a random id. */
export type Ticket = Owned & SnapshotRecord<'ticket'>;

/** A key that signs ID tokens. Snapshots, pages, logs and streams omit it. */
export type SigningKey = {
	readonly kid: string;
	readonly alg: SigningAlgorithm;
	/** Unix seconds, sandbox clock. */
	readonly created: number;
	/** The private key (RFC 7517, RFC 7518, section 6). Only the store of the host contains it. */
	readonly jwk: Readonly<JsonWebKey>;
};

/** The keys of a sandbox, newest first. One record, so that a rotation is one step. */
export type SigningKeySet = { readonly keys: readonly SigningKey[] };

/** Failed attempts. Keyed by what is counted. */
export type FailedAttempts = { readonly failed: number; readonly expires: number };

/** The record `state`: name, keys, clock, settings and faults of a sandbox. */
export type SandboxState = {
	/** Milliseconds, real clock. */
	readonly createdAt: number;
	/** What its owner calls it. */
	readonly name?: string;
	/** Digest of the key that the sandbox was created with; the root sandbox has none. */
	readonly key: string | undefined;
	/** Digests of the keys created later, oldest first. */
	readonly ownerKeys: readonly string[];
	/** How far the sandbox clock is ahead of the real one, in milliseconds. */
	readonly offset: number;
	readonly settings: Settings;
	/** False: no application has a virtual address, so requests need not look for it. */
	readonly hasApplicationAddresses: boolean;
	/** Oldest first. */
	readonly faults: readonly Fault[];
	/** How many entries the traffic log keeps, if the operator has set it. */
	readonly trafficEntries?: number;
	/** The checksum of the snapshot that the permissions and characters are of. Absent: they are those of the world. */
	readonly snapshot?: string;
	/** A share link made it whose sender locked the controls. */
	readonly locked?: true;
	/** The digest of the sandbox's own world. Absent: it has that of the server. */
	readonly world?: string;
};

/** A share link. Keyed by its id. Milliseconds, real clock. */
export type ShareRecord = {
	/** A preset, as JSON. */
	readonly preset: string;
	readonly created: number;
	readonly expires: number;
	/** How many sandboxes it has created. */
	readonly opened: number;
	readonly lastOpened?: number;
	/** Absent: the link has none. */
	readonly password?: { readonly salt: string; readonly hash: string };
	readonly locked?: true;
};

/** The sandbox that has a share link, kept in the root sandbox. Keyed by the id of the link. */
export type SharePlace = {
	readonly sandbox: string;
	readonly expires: number;
	/** The address that created the sandbox; empty for the operator. Absent in earlier versions. */
	readonly createdBy?: string;
};

/** The world file of a sandbox that has its own, as JSON. */
export type OwnWorld = { readonly file: string };

/** One entry of the directory of sandboxes, kept in the root sandbox. Keyed by the sandbox's id. Milliseconds, real clock. */
export type SandboxEntry = {
	readonly createdAt: number;
	/** The address that asked for it; empty for a caller that controls the root sandbox. */
	readonly createdBy: string;
	/** Its world. Default: that of the server. */
	readonly world?: 'demo';
	/** A share link or a preset with a start made it. */
	readonly isOfLink?: true;
	/** The latest noted call; absent until the first. */
	readonly lastUsedAt?: number;
	/** The seat that it is the sandbox of. It lives as long as its class, used or not. */
	readonly seat?: SeatId;
	/** Until when its share links need it. */
	readonly keptUntil?: number;
	readonly expires: number;
};

/** Every kind of record, by name. `recordLimits` says how each is stored. */
export type Records = {
	state: SandboxState;
	share: ShareRecord;
	share_place: SharePlace;
	world: OwnWorld;
	sandbox: SandboxEntry;
	class: ClassRecord;
	seat: SeatRecord;
	seat_program: SeatProgramRecord;
	class_lessons: ClassLessonsRecord;
	application: Application;
	account: Account;
	permission: Permission;
	character: Character;
	record_list: RecordList;
	grant: Grant;
	token_family: TokenFamily;
	code: AuthorizationCode;
	access_token: AccessToken;
	refresh_token: RefreshToken;
	pending_authorization: PendingConsent;
	device_authorization: DeviceAuthorization;
	dpop_proof: UsedProof;
	used_assertions: UsedAssertions;
	client_document: HostedDocument;
	pushed_request: PushedRequest;
	browser_session: BrowserSession;
	rate_limit_window: RateLimitWindow;
	blacklist_entry: BlacklistEntry;
	ticket: Ticket;
	failed_attempts: FailedAttempts;
	signing_key: SigningKeySet;
};

/** The key of a user's grant to an application. @param username undefined for the grant of the application itself */
export function grantKey(username: string | undefined, client_id: string): string {
	return `${username ?? ''}\n${client_id}`;
}

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
type UsedProof = { readonly expires: number };

/** The assertions that a client used (RFC 7523, section 3). Keyed by its `client_id`: what is used is kept until its `exp`. */
export type UsedAssertions = {
	/** The digest of each `jti`, and when the assertion expires: milliseconds, sandbox clock. */
	readonly used: readonly (readonly [digest: string, until: number])[];
	/** When the last one expires. */
	readonly expires: number;
};

/** A document that a sandbox hosts, as its developer wrote it. Keyed by its name. `fault`: what is wrong with its server. */
export type HostedDocument = { readonly text: string; readonly fault?: Exclude<DocumentFault, 'none'> };
