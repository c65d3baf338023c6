/** Failures in a row that open the circuit, and the milliseconds until it closes. */
const mostFailures = 5;
const openTime = 30_000;

/** A `fetch` that sends nothing for half a minute after five failures in a row. Then one request shows whether it works again. */
export function withBreaker(send: typeof fetch): typeof fetch {
	let failures = 0;
	let closedAt = -Infinity;
	const note = (isFailure: boolean) => {
		failures = isFailure ? failures + 1 : 0;
		if (failures >= mostFailures) closedAt = Date.now() + openTime;
	};
	return async (input, init) => {
		if (Date.now() < closedAt) throw new TypeError('The circuit is open.');
		try {
			const response = await send(input, init);
			note(response.status >= 500);
			return response;
		} catch (error) {
			note(true);
			throw error;
		}
	};
}
