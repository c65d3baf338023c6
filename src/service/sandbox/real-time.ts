import type { Expiring, ListRecords, RecordSet } from '#store/store.ts';
import type { Records } from './records.ts';

type Kind = keyof Records;

/**
 * The live records of a sandbox whose clock returns to the real time. What expires keeps the time it has left, so that nothing
 * lives longer. What happened, did not happen later than now.
 * @param list the records by the old clock
 * @param real the real clock, in milliseconds
 * @param ahead how far the old clock is ahead of it, in milliseconds
 */
export function recordsAtRealTime(list: ListRecords<Records>, real: number, ahead: number): RecordSet<Records> {
	const moved = <R extends Expiring>(record: R): R =>
		record.expires === undefined ? record : { ...record, expires: record.expires - ahead };
	const past = (seconds: number) => Math.min(seconds, Math.floor(real / 1000));
	const all = <K extends Kind>(kind: K, change: (record: Records[K]) => Records[K]) =>
		list(kind).map(([id, record]): [string, Records[K]] => [id, change(record)]);
	return {
		application: all('application', (application) => ({ ...application, registered: past(application.registered) })),
		grant: all('grant', (grant) => ({ ...grant, since: past(grant.since) })),
		token_family: all('token_family', moved),
		code: all('code', (code) => moved({ ...code, validUntil: code.validUntil - ahead })),
		access_token: all('access_token', moved),
		rate_limit_window: all('rate_limit_window', moved),
		blacklist_entry: all('blacklist_entry', (entry) => ({ ...entry, since: past(entry.since) })),
		ticket: all('ticket', (ticket) => moved({ ...ticket, created_at: past(ticket.created_at) }))
	};
}
