import type { SchemaRules } from '#store/store.ts';
import { rootSandbox, type Records } from './records.ts';

/** How many sandboxes there are at the most, the root apart. */
export const mostSandboxes = 300;

const cap = (root: number, other: number) => (sandbox: string) => (sandbox === rootSandbox ? root : other);

/** How a store keeps each kind: bounded, and on which clock. */
export const recordRules: SchemaRules<Records> = {
	world: { cap: cap(1, 1), clock: 'real', durable: true },
	sandbox: { cap: cap(mostSandboxes, 0), clock: 'real', keep: () => true },
	application: { cap: cap(200, 50), clock: 'sandbox', keep: () => true },
	account: { cap: cap(200, 100), clock: 'sandbox', keep: () => true },
	grant: { cap: cap(20_000, 1_000), clock: 'sandbox', keep: () => true, durable: true },
	// One without an end is that of a refresh token, which is kept too.
	family: {
		cap: cap(1_000_000, 5_000),
		clock: 'sandbox',
		keep: (family) => family.expires === undefined,
		durable: true
	},
	code: { cap: cap(500_000, 2_000), clock: 'sandbox', durable: true },
	access: { cap: cap(1_000_000, 5_000), clock: 'sandbox' },
	refresh: { cap: cap(100_000, 2_000), clock: 'sandbox', keep: () => true, durable: true },
	pending: {
		cap: cap(200_000, 1_000),
		clock: 'real',
		weigh: (pending) => 1 + Math.floor((pending.redirect_uri.length + (pending.state?.length ?? 0)) / 512)
	},
	session: { cap: cap(50_000, 500), clock: 'real' },
	// Whoever calls in earnest is remembered; of a flood of addresses with a call or two, the newest.
	window: { cap: cap(200_000, 3_000), clock: 'sandbox', keep: (window) => window.refused > 0 || window.count >= 100 },
	ban: { cap: cap(100_000, 1_000), clock: 'sandbox', keep: () => true },
	ticket: { cap: cap(500, 100), clock: 'sandbox' },
	guesses: { cap: cap(100_000, 1_000), clock: 'real', keep: (guesses) => guesses.failed >= 10 }
};
