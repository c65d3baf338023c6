/** What a client can do when a request is rejected, in the order of forms. */
export const retryPolicyNames = [
	'none',
	'fixed',
	'exponential',
	'exponential_jitter',
	'retry_after',
	'jitter_below',
	'jitter_above',
	'pace'
] as const;

export type RetryPolicyName = (typeof retryPolicyNames)[number];
