import type { StoreOptions } from '#store/store.ts';
import { rootSandbox, type Records } from './records.ts';

/** How many sandboxes there are at the most, the root apart. */
export const maxSandboxes = 300;

const capacity = (root: number, other: number) => (sandbox: string) => (sandbox === rootSandbox ? root : other);

/** How a store keeps each kind: bounded, and on which clock. */
export const recordLimits: StoreOptions<Records> = {
	state: { capacity: capacity(1, 1), clock: 'real', durable: true },
	sandbox: { capacity: capacity(maxSandboxes, 0), clock: 'real', isProtected: () => true },
	application: { capacity: capacity(200, 50), clock: 'sandbox', isProtected: () => true },
	account: { capacity: capacity(200, 100), clock: 'sandbox', isProtected: () => true },
	grant: { capacity: capacity(20_000, 1_000), clock: 'sandbox', isProtected: () => true, durable: true },
	// One without an end is that of a refresh token, which is kept too.
	token_family: {
		capacity: capacity(1_000_000, 5_000),
		clock: 'sandbox',
		isProtected: (family) => family.expires === undefined,
		durable: true
	},
	code: { capacity: capacity(500_000, 2_000), clock: 'sandbox', durable: true },
	access_token: { capacity: capacity(1_000_000, 5_000), clock: 'sandbox' },
	refresh_token: { capacity: capacity(100_000, 2_000), clock: 'sandbox', isProtected: () => true, durable: true },
	pending_authorization: {
		capacity: capacity(200_000, 1_000),
		clock: 'real',
		sizeOf: (pending) => 1 + Math.floor((pending.redirect_uri.length + (pending.state?.length ?? 0)) / 512)
	},
	browser_session: { capacity: capacity(50_000, 500), clock: 'real' },
	// Whoever calls in earnest is remembered; of a flood of addresses with a call or two, the newest.
	rate_limit_window: {
		capacity: capacity(200_000, 3_000),
		clock: 'sandbox',
		isProtected: (window) => window.refused > 0 || window.count >= 100
	},
	blacklist_entry: { capacity: capacity(100_000, 1_000), clock: 'sandbox', isProtected: () => true },
	ticket: { capacity: capacity(500, 100), clock: 'sandbox' },
	failed_attempts: { capacity: capacity(100_000, 1_000), clock: 'real', isProtected: (guesses) => guesses.failed >= 10 }
};
