export type GaugeLevel = 'plenty' | 'low' | 'critical' | 'limited' | 'no_response';

/** Used share of the limit at which the level changes. */
export const lowThreshold = 0.75;
export const criticalThreshold = 0.9;

/**
 * Level of a rate limit (section 3.3).
 * @param remaining remaining requests from the headers
 * @param limit requests per window
 * @param noResponse whether the service does not respond (blacklisted)
 */
export function gaugeLevel(remaining: number, limit: number, noResponse = false): GaugeLevel {
	if (noResponse) return 'no_response';
	if (remaining <= 0) return 'limited';
	const used = 1 - remaining / limit;
	if (used >= criticalThreshold) return 'critical';
	return used >= lowThreshold ? 'low' : 'plenty';
}

/** Label of each level, because color alone is not accessible. */
export const levelLabels: Record<GaugeLevel, string> = {
	plenty: 'Within the limit',
	low: 'Running low',
	critical: 'Nearly used up',
	limited: 'Limit reached',
	no_response: 'No response'
};
