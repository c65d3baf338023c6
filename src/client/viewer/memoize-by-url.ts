/**
 * Calls a function once for each base URL, so that its result survives navigation inside the app.
 * @param create gets the base URL of the service and the path that the app is served from
 */
export function memoizeByUrl<T>(
	create: (baseUrl: string, path: string) => Promise<T>
): (baseUrl: string, path: string) => Promise<T> {
	const results = new Map<string, Promise<T>>();
	return (baseUrl, path) => {
		const result = results.get(baseUrl) ?? create(baseUrl, path);
		results.set(baseUrl, result);
		return result;
	};
}
