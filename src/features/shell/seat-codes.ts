/** Where a browser keeps its seat in a class. @param base path that the app is served from */
export const seatKeyOf = (base: string, code: string): string => `tollgate-seat${base} ${code}`;

/** The codes of the classes in which this browser has or had a seat. Without a schema library, since each page loads this module. */
export function seatCodes(base: string): readonly string[] {
	try {
		const prefix = seatKeyOf(base, '');
		return Object.keys(localStorage).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
	} catch {
		return []; // blocked
	}
}
