/** What `valueOf` makes of each value of a record, by the same names. */
export function mapValues<Name extends string, Value, Result>(
	values: Readonly<Record<Name, Value>>,
	valueOf: (value: Value, name: Name) => Result
): Record<Name, Result>;
export function mapValues<Value, Result>(
	values: Readonly<Record<string, Value>>,
	valueOf: (value: Value, name: string) => Result
) {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(value, name)]));
}
