import * as v from 'valibot';
import { answerJson } from '../responses.ts';
import { checkedRedirectUris } from '../redirect-uris.ts';
import { ProtocolError } from '../errors.ts';
import { recordRules } from '../record-limits.ts';
import { grantKey, type Application, type Code } from '../records.ts';
import { bodyLimit } from '../service.ts';
import { control, type ControlCall } from './control-endpoint.ts';
import * as file from './snapshot-schema.ts';
import type { SnapshotContent, SnapshotRecords } from './snapshot-schema.ts';

/** The sandbox as one file (design, section 6). Records hold digests only, so it has no secret in it. */
export const exportSnapshot = control(async (call) => {
	const { area, base_url, world } = call.sandbox;
	const records: SnapshotRecords = {
		application: await area.list('application'),
		account: await area.list('account'),
		grant: await area.list('grant'),
		family: await area.list('family'),
		code: await area.list('code'),
		access: await area.list('access'),
		refresh: await area.list('refresh'),
		window: await area.list('window'),
		ban: await area.list('ban'),
		ticket: await area.list('ticket')
	};
	const { offset, settings } = world;
	const content: SnapshotContent = { base_url, taken: call.options.now(), offset, settings, records };
	const snapshot = { format: file.format, version: file.version, checksum: checksumOf(call, content), content };
	if (JSON.stringify(snapshot).length > bodyLimit('/control/snapshot')) {
		throw new ProtocolError('limit_reached', 'This sandbox holds more than a snapshot takes: 4 MiB.');
	}
	return answerJson(call, 200, snapshot, ['Content-Disposition', 'attachment; filename="tollgate-snapshot.json"']);
});

/** Puts a sandbox as it was when a snapshot was taken, here or on another host. A file that is not whole changes nothing. */
export const importSnapshot = control(async (call) => {
	const { base_url } = call.sandbox;
	const { offset, settings, records } = moved(readSnapshot(call), base_url);
	await call.sandbox.replace(
		(world) => ({ ...world, offset, settings, faults: [] }),
		() => ({ ...records, session: [], pending: [] })
	);
	const counts = file.snapshotKinds.map((kind): [string, number] => [kind, records[kind].length]);
	return { base_url, clock: { now: call.now(), offset }, records: Object.fromEntries(counts) };
});

/** @throws ProtocolError `invalid_request` that says what is wrong with the file */
function readSnapshot(call: ControlCall): SnapshotContent {
	const envelope = v.looseObject({ format: v.literal(file.format), version: v.number() });
	const sent = call.read(v.unknown());
	if (!v.is(envelope, sent)) throw invalid('This is no snapshot of Tollgate.');
	if (sent.version !== file.version) {
		throw invalid(
			`The snapshot is of version ${String(sent.version)}, and this service reads ${String(file.version)}.`
		);
	}
	if (sent.content === undefined || checksumOf(call, sent.content) !== sent.checksum) {
		throw invalid('The snapshot is damaged: its checksum is not that of its content.');
	}
	const result = v.safeParse(file.snapshotContent, sent.content, { abortEarly: true });
	if (!result.success) {
		const [issue] = result.issues;
		throw wrong(v.getDotPath(issue), issue.message.slice(0, 200));
	}
	const { offset, records } = result.output;
	if (call.options.now() + offset > file.latestClock)
		throw wrong('offset', 'the clock would stand beyond the year 2200');
	for (const kind of file.snapshotKinds) {
		const entries = records[kind];
		if (entries.length > recordRules[kind].cap(call.sandbox.id)) {
			throw wrong(`records.${kind}`, 'these are more than a sandbox takes');
		}
		const keys = new Set<string>();
		entries.forEach(([key], at) => {
			if (keys.has(key)) throw wrong(`records.${kind}.${at}.0`, 'this key was there before');
			keys.add(key);
		});
	}
	mustBeKeyed('application', records.application, ({ client_id }) => client_id);
	mustBeKeyed('account', records.account, ({ username }) => username);
	mustBeKeyed('grant', records.grant, ({ username, client_id }) => grantKey(username, client_id));
	return result.output;
}

function mustBeKeyed<One>(
	kind: string,
	entries: readonly (readonly [string, One])[],
	keyOf: (one: One) => string
): void {
	const at = entries.findIndex(([key, one]) => key !== keyOf(one));
	if (at >= 0) throw wrong(`records.${kind}.${at}.0`, 'the record under this key is that of another');
}

/** What belonged to the base URL that a snapshot was taken at belongs to that of this sandbox. */
function moved(content: SnapshotContent, base_url: string): SnapshotContent {
	const from = `${content.base_url}/`;
	const move = (uri: string) => (uri.startsWith(from) ? `${base_url}/${uri.slice(from.length)}` : uri);
	const { records } = content;
	const application = records.application.map(([key, one], at): [string, Application] => [
		key,
		{ ...one, redirect_uris: movedUris(one, move, `records.application.${at}.1.redirect_uris`) }
	]);
	const code = records.code.map(([key, one]): [string, Code] => [
		key,
		{ ...one, redirect_uri: move(one.redirect_uri) }
	]);
	return { ...content, records: { ...records, application, code } };
}

function movedUris({ kind, redirect_uris }: Application, move: (uri: string) => string, place: string): string[] {
	if (redirect_uris.length === 0) return [];
	try {
		return checkedRedirectUris(kind, redirect_uris.map(move));
	} catch (fault) {
		throw fault instanceof ProtocolError ? wrong(place, fault.message.replace(/\.$/, '')) : fault;
	}
}

function checksumOf(call: ControlCall, content: unknown): string {
	return call.options.digest(JSON.stringify(content));
}

function wrong(place: string | null, reason: string): ProtocolError {
	return invalid(
		`The snapshot is not as it should be at ${place === null ? 'content' : `content.${place}`}: ${reason}.`
	);
}

function invalid(description: string): ProtocolError {
	return new ProtocolError('invalid_request', description);
}
