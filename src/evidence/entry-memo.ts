/**
 * Reads each entry once, however often the rules are evaluated. The value must not refer to its entry: it would keep the entry in memory
 * until V8 collects all of it.
 * @param read pure
 */
export function onceFor<Entry extends object, Value>(read: (entry: Entry) => Value): (entry: Entry) => Value {
	const known = new WeakMap<Entry, { readonly value: Value }>();
	return (entry) => {
		const found = known.get(entry);
		if (found !== undefined) return found.value;
		const value = read(entry);
		known.set(entry, { value });
		return value;
	};
}
