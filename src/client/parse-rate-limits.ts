import { isArray, isObject, type JsonValue } from './rate-limit/json-value.ts';

/** A rate limit record of section 2.5. */
export type ParsedRateLimit = {
	readonly pattern: string;
	readonly limit: number;
	readonly remaining: number;
	/** Milliseconds since 1970 by the service's clock. */
	readonly reset: number;
	/** As the service wrote it. */
	readonly reset_time: string;
};

/**
 * Parses the response of `/ws/v2.0/ratelimits`. Converted from XML, a single record is no array.
 * @param data of the response
 * @returns the valid records
 */
export function parseRateLimits(data: JsonValue | undefined): readonly ParsedRateLimit[] {
	const body = isObject(data) && isObject(data.ratelimits) ? data.ratelimits : data;
	const records = isObject(body) ? body.ratelimit : undefined;
	const list = isArray(records) ? records : records === undefined ? [] : [records];
	return list.map(parseRecord).filter((record) => record !== undefined);
}

function parseRecord(value: JsonValue): ParsedRateLimit | undefined {
	if (!isObject(value) || typeof value.pattern !== 'string') return undefined;
	const { pattern, reset_time } = value;
	const [limit, remaining, reset] = [Number(value.limit), Number(value.remaining), Number(value.reset) * 1000];
	const isValid = Number.isFinite(limit) && Number.isFinite(remaining) && !Number.isNaN(new Date(reset).getTime());
	if (!isValid) return undefined;
	return { pattern, limit, remaining, reset, reset_time: typeof reset_time === 'string' ? reset_time : '' };
}
