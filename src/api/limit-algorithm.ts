/** How a sandbox can limit the requests of an address. */
export const limitAlgorithmNames = [
	'fixed_window',
	'sliding_log',
	'sliding_counter',
	'token_bucket',
	'leaky_bucket',
	'gcra'
] as const;

export type LimitAlgorithm = (typeof limitAlgorithmNames)[number];

/** What forms and traces call them. */
export const limitAlgorithms: Readonly<Record<LimitAlgorithm, string>> = {
	fixed_window: 'Fixed window',
	sliding_log: 'Sliding log',
	sliding_counter: 'Sliding counter',
	token_bucket: 'Token bucket',
	leaky_bucket: 'Leaky bucket with a queue',
	gcra: 'GCRA, evenly spaced'
};

/** A log of requests has at most this many, also where the limit is higher. */
export const longestLog = 1000;

/** How `Retry-After` says when to come back (RFC 9110, section 10.2.3). */
export const retryAfterForms = ['seconds', 'date'] as const;
export type RetryAfterForm = (typeof retryAfterForms)[number];
