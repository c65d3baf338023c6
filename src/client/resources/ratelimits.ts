import { hasFields, isList, type Tree } from '../xml.ts';

/** A record of section 2.5. */
export type LimitRecord = {
	readonly pattern: string;
	readonly limit: number;
	readonly remaining: number;
	/** Milliseconds since 1970, by the service's clock. */
	readonly reset: number;
	/** As the service wrote it. */
	readonly reset_time: string;
};

/**
 * Reads the answer of `ratelimits`, from JSON or XML. In XML one record is a single element, several are several.
 * @param tree the answer as data
 */
export function limitsOf(tree: Tree | undefined): readonly LimitRecord[] {
	const body = hasFields(tree) && hasFields(tree.ratelimits) ? tree.ratelimits : tree;
	const records = hasFields(body) ? body.ratelimit : undefined;
	const list = isList(records) ? records : records === undefined ? [] : [records];
	return list.map(recordOf).filter((record) => record !== undefined);
}

function recordOf(tree: Tree): LimitRecord | undefined {
	if (!hasFields(tree)) return undefined;
	const { pattern, limit, remaining, reset, reset_time } = tree;
	if (typeof pattern !== 'string') return undefined;
	const numbers = [Number(limit), Number(remaining), Number(reset)];
	const [most = NaN, left = NaN, at = NaN] = numbers;
	if (numbers.some((number) => !Number.isFinite(number)) || Number.isNaN(new Date(at * 1000).getTime()))
		return undefined;
	return {
		pattern,
		limit: most,
		remaining: left,
		reset: at * 1000,
		reset_time: typeof reset_time === 'string' ? reset_time : ''
	};
}
