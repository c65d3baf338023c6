/** Where a budget of calls stands. */
export type GaugeLevel = 'unknown' | 'plenty' | 'low' | 'critical' | 'limited' | 'silent';

/** At what share of the limit used up the level changes. */
export const lowThreshold = 0.75;
export const criticalThreshold = 0.9;

/**
 * The level of a budget (specification, section 3.3).
 * @param remaining calls left, as the headers said; undefined before the first answer
 * @param limit calls allowed in the window
 * @param silent whether the service has stopped answering (blacklisted)
 */
export function gaugeLevel(remaining: number | undefined, limit: number | undefined, silent = false): GaugeLevel {
	if (silent) return 'silent';
	if (remaining === undefined || limit === undefined) return 'unknown';
	if (remaining <= 0) return 'limited';
	const used = 1 - remaining / limit;
	if (used >= criticalThreshold) return 'critical';
	return used >= lowThreshold ? 'low' : 'plenty';
}

/** The word that stands beside the number, so that colour never stands alone. */
export const levelLabels: Record<GaugeLevel, string> = {
	unknown: 'No answer yet',
	plenty: 'Within the limit',
	low: 'Running low',
	critical: 'Nearly used up',
	limited: 'Limited',
	silent: 'No response'
};
