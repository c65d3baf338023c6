import * as v from 'valibot';

/** Validates stored progress, by id. What is invalid is left out. */
export function parseItems<T>(schema: v.GenericSchema<unknown, T>, found: unknown): Readonly<Record<string, T>> {
	const record = v.safeParse(v.record(v.string(), v.unknown()), found);
	if (!record.success) return {};
	return Object.fromEntries(
		Object.entries(record.output).flatMap(([id, one]) => {
			const parsed = v.safeParse(schema, one);
			return parsed.success ? [[id, parsed.output] as const] : [];
		})
	);
}
