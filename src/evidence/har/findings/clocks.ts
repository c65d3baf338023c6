import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { findingOf, isOk, responseHeaderOf, type ForeignRun } from './foreign-run.ts';

/** A smaller difference may be that of whole seconds, or of a slow response. */
const smallest = 30;
/** Libraries allow a difference of a minute or more, in seconds. */
const tolerated = 60;

/** The seconds by which the clock of a host is ahead of that of the recorder. Dates have whole seconds. */
function clockOf(one: ForeignExchange): number | undefined {
	if (one.source !== 'file' || responseHeaderOf(one, 'age') !== undefined) return undefined;
	const date = Date.parse(responseHeaderOf(one, 'date') ?? '');
	return Number.isNaN(date) || one.entry.at === 0 ? undefined : (date - one.entry.at) / 1000;
}

/** The difference between the clocks of an application and its provider. */
export function clockDifference(run: ForeignRun, callback: ForeignExchange): ForeignFinding | undefined {
	const own = clockOf(callback);
	const provider = run.all.find((one) => one.to === 'authorization' && clockOf(one) !== undefined);
	const other = provider && clockOf(provider);
	if (own === undefined || other === undefined || Math.abs(own - other) < smallest) return undefined;
	const seconds = Math.round(Math.abs(own - other));
	const than = own < other ? 'behind' : 'ahead of';
	const text = `By the Date headers, the clock of the application is ${seconds} s ${than} that of the provider.`;
	return findingOf('failed', 'cause.clock', [provider, callback], text);
}

/** The clock of the computer that recorded, if all servers agree on another time. A page checks its tokens by it. */
export function recorderClock(run: ForeignRun): ForeignFinding | undefined {
	const dated = run.all.filter((one) => clockOf(one) !== undefined);
	const ahead = dated.map((one) => clockOf(one) ?? 0);
	const issued = run.of('token').filter((one) => one.from === 'browser' && isOk(one));
	const iat = issued.flatMap(({ entry, tokens }) =>
		tokens.flatMap(({ claims }) => (claims.iat === undefined ? [] : [claims.iat - entry.at / 1000]))
	);
	const all = [...ahead, ...iat];
	const [least, most] = [Math.min(...all), Math.max(...all)];
	const isOne = all.length >= 2 && most - least <= smallest && Math.min(Math.abs(least), Math.abs(most)) >= tolerated;
	// Only a page has the clock of the recorder.
	if (!isOne || issued.length === 0) return undefined;
	const seconds = Math.round(Math.abs((least + most) / 2));
	const text = `The clock of the browser is ${seconds} s ${least > 0 ? 'behind' : 'ahead of'} those of all servers, by ${ahead.length} Date headers${iat.length > 0 ? ' and the iat of the tokens' : ''}.`;
	return findingOf('failed', 'cause.clock', [...dated, ...issued], text, {
		cause: 'A token that was just issued is not valid yet, or has expired already, by the clock of the page.',
		fix: 'Set the clock of this computer. Compare iat and exp with a tolerance, or with the time of the server.'
	});
}
