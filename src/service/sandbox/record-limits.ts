import { maxDocuments } from '#api/control/client-documents.ts';
import { maxClasses } from '#api/control/classes.ts';
import { maxSeats } from '#api/control/seats.ts';
import { maxShares } from '#api/control/shares.ts';
import type { StoreOptions } from '#store/store.ts';
import type { Records } from './records.ts';
import { rootSandbox } from '../core/target.ts';

/** How many sandboxes a world can allow at most, the root apart. */
export const maxSandboxes = 3000;
/** How many a world allows that says nothing of it. */
export const defaultSandboxes = 300;

const limit = (root: number, other: number) => ({ maxPerSandbox: other, maxFor: { [rootSandbox]: root } });

/** For what any client can create. The address that holds the most loses its oldest record. */
const byAddress = { owner: 'createdBy' } as const;

/** For what users change seldom. */
const stable = { isStable: true } as const;

/** For tokens: a request reads their grant (see `grantKey`) and their family, too. */
const withGrant = { leadsTo: { grant: ['username', 'client_id'], token_family: ['family'] } } as const;

/** The fields of codes and tokens. An access token, and its grant, may be without a user. */
const ofToken = { client_id: 'string', grant: 'string', scopes: 'object' } as const;
const ofUser = { ...ofToken, username: 'string' } as const;

/** How many access tokens of one code exchange are live at the same time. A client that refreshes in a loop ends its own. */
export const maxPerFamily = 200;

/** How a store keeps each kind: its limits, its clock, whether a change must survive a crash, and the fields of every record. */
export const recordLimits: StoreOptions<Records> = {
	state: {
		...limit(1, 1),
		...stable,
		clock: 'real',
		durable: true,
		required: { createdAt: 'number', ownerKeys: 'object', offset: 'number', settings: 'object', faults: 'object' }
	},
	share: {
		...limit(maxShares, maxShares),
		clock: 'real',
		protect: 'all',
		durable: true,
		required: { preset: 'string', created: 'number', expires: 'number', opened: 'number' }
	},
	share_place: {
		...limit(2_000, 0),
		clock: 'real',
		protect: 'all',
		durable: true,
		required: { sandbox: 'string', expires: 'number' }
	},
	world: { ...limit(0, 1), clock: 'real', protect: 'all', durable: true, required: { file: 'string' } },
	sandbox: {
		...limit(maxSandboxes + maxSeats, 0),
		clock: 'real',
		protect: 'all',
		durable: true,
		required: { createdAt: 'number', createdBy: 'string', expires: 'number' }
	},
	class: {
		...limit(maxClasses, 0),
		clock: 'real',
		protect: 'all',
		durable: true,
		required: {
			name: 'string',
			key: 'string',
			lessons: 'object',
			seats: 'number',
			notices: 'object',
			expires: 'number'
		}
	},
	seat: {
		...limit(maxSeats, 0),
		clock: 'real',
		protect: 'all',
		durable: true,
		required: { sandbox: 'string', label: 'string', joined: 'number', times: 'object', expires: 'number' }
	},
	seat_program: {
		...limit(maxSeats, 0),
		clock: 'real',
		protect: 'all',
		durable: true,
		required: { lesson: 'string', text: 'string', shown: 'number', expires: 'number' }
	},
	class_lessons: {
		...limit(maxClasses, 0),
		clock: 'real',
		protect: 'all',
		durable: true,
		required: { lessons: 'object', expires: 'number' }
	},
	application: {
		...limit(200, 50),
		...stable,
		clock: 'sandbox',
		protect: 'all',
		durable: true,
		required: { client_id: 'string', name: 'string', kind: 'string', redirect_uris: 'object', secret: 'object' }
	},
	account: {
		...limit(200, 100),
		...stable,
		clock: 'sandbox',
		protect: 'all',
		durable: true,
		required: { username: 'string', salt: 'string', password: 'string' }
	},
	permission: {
		...limit(50, 50),
		...stable,
		clock: 'sandbox',
		protect: 'all',
		durable: true,
		required: { scope: 'string', opens: 'object', of: 'string' }
	},
	character: {
		...limit(1_200, 1_200),
		...stable,
		clock: 'sandbox',
		protect: 'all',
		durable: true,
		required: { name: 'string', player: 'string', fields: 'object' }
	},
	// A list counts as many records as it has.
	record_list: {
		...limit(5_000, 1_000),
		clock: 'sandbox',
		protect: 'all',
		weightField: 'size',
		durable: true,
		required: { kind: 'string', owner: 'string', size: 'number', items: 'object' }
	},
	signing_key: {
		...limit(1, 1),
		...stable,
		clock: 'sandbox',
		protect: 'all',
		durable: true,
		required: { keys: 'object' }
	},
	grant: {
		...limit(20_000, 1_000),
		clock: 'sandbox',
		protect: 'all',
		durable: true,
		required: { id: 'string', client_id: 'string', scopes: 'object', refresh: 'object' }
	},
	// A family without an expiry belongs to a refresh token, which is protected too.
	token_family: {
		...limit(150_000, 5_000),
		...byAddress,
		clock: 'sandbox',
		protect: 'without_expiry',
		durable: true,
		// All fields may be absent.
		required: {}
	},
	code: {
		...limit(75_000, 2_000),
		...byAddress,
		leadsTo: { grant: ['username', 'client_id'] },
		clock: 'sandbox',
		durable: true,
		required: { ...ofUser, redirect_uri: 'string', validUntil: 'number', expires: 'number' }
	},
	access_token: {
		...limit(150_000, 5_000),
		...byAddress,
		maxPerGroup: { field: 'family', max: maxPerFamily },
		...withGrant,
		clock: 'sandbox',
		durable: true,
		required: { ...ofToken, family: 'string', expires: 'number' }
	},
	refresh_token: {
		...limit(100_000, 2_000),
		...withGrant,
		clock: 'sandbox',
		protect: 'all',
		durable: true,
		required: { ...ofUser, family: 'string' }
	},
	pending_authorization: {
		...limit(100_000, 5_000),
		...byAddress,
		clock: 'real',
		weightField: 'weight',
		required: { client_id: 'string', redirect_uri: 'string', scopes: 'object', weight: 'number', expires: 'number' }
	},
	device_authorization: {
		...limit(20_000, 500),
		...byAddress,
		leadsTo: { application: ['client_id'] },
		clock: 'sandbox',
		durable: true,
		required: {
			client_id: 'string',
			device: 'string',
			scopes: 'object',
			interval: 'number',
			validUntil: 'number',
			expires: 'number'
		}
	},
	// What was used and forgotten would work again: a full sandbox rejects new proofs, and one address cannot fill it.
	dpop_proof: {
		...limit(50_000, 6_000),
		clock: 'sandbox',
		protect: 'all',
		durable: true,
		required: { expires: 'number' }
	},
	used_assertions: {
		...limit(200, 50),
		clock: 'sandbox',
		protect: 'all',
		durable: true,
		required: { used: 'object', expires: 'number' }
	},
	client_document: {
		...limit(maxDocuments, maxDocuments),
		...stable,
		clock: 'sandbox',
		protect: 'all',
		durable: true,
		required: { text: 'string' }
	},
	pushed_request: {
		...limit(20_000, 1_000),
		...byAddress,
		clock: 'sandbox',
		weightField: 'weight',
		durable: true,
		required: { client_id: 'string', query: 'string', weight: 'number', validUntil: 'number', expires: 'number' }
	},
	browser_session: {
		...limit(50_000, 500),
		...byAddress,
		clock: 'real',
		durable: true,
		required: { username: 'string', previousIds: 'object', expires: 'number' }
	},
	rate_limit_window: {
		...limit(200_000, 3_000),
		...byAddress,
		clock: 'sandbox',
		// Addresses with one or two calls are evicted first, so that a flood of addresses evicts itself.
		protect: [
			{ field: 'refused', min: 1 },
			{ field: 'count', min: 100 }
		],
		required: { count: 'number', refused: 'number', expires: 'number' }
	},
	blacklist_entry: {
		...limit(100_000, 1_000),
		...byAddress,
		clock: 'sandbox',
		protect: 'all',
		durable: true,
		required: { since: 'number', reason: 'string' }
	},
	// Open tickets have no expiry.
	ticket: {
		...limit(500, 100),
		...byAddress,
		clock: 'sandbox',
		protect: 'without_expiry',
		required: { address: 'string', result: 'string', reason: 'string', resolution: 'string', state: 'string' }
	},
	// The counters of one address limit its own guesses, so it must not be able to evict them. They end after five minutes.
	failed_attempts: {
		...limit(100_000, 3_000),
		clock: 'real',
		protect: [{ field: 'failed', min: 10 }],
		required: { failed: 'number', expires: 'number' }
	}
};
