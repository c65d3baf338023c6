import { type ControlContext, implement, issueText } from './control-endpoint.ts';
import * as v from 'valibot';
import { maxIn } from '#store/collection-limits.ts';
import { identityScopes } from '#api/identity-scopes.ts';
import type { RestoredSnapshot } from '#api/control/sandboxes.ts';
import * as file from '#api/control/snapshot.ts';
import { snapshotApi, type WrittenSnapshot } from '#api/control/snapshot.ts';
import type { WireResult } from '#api/message.ts';
import { respondText } from '../core/responses.ts';
import { validateUris } from '../sandbox/validate-uris.ts';
import { ProtocolError } from '../core/errors.ts';
import { recordLimits } from '../sandbox/record-limits.ts';
import { characterKey } from '../world/seed.ts';
import { listKey } from '../world/validate-world.ts';
import { type Application, type AuthorizationCode, grantKey, type Records } from '../sandbox/records.ts';
import { rootSandbox } from '../core/target.ts';
import { bodyLimitOf } from '../core/routes.ts';
import { ownWorldOf } from './preset.ts';
import { readOwnWorld } from './own-world.ts';
import { isConcurrencyKey } from '../checks/concurrency.ts';

/** The records of a sandbox by kind, each with its key, oldest first. */
type SnapshotRecords = { readonly [K in file.SnapshotKind]: readonly (readonly [string, Records[K]])[] };

/** What is in a snapshot that has been read and found whole. */
type SnapshotContent = Omit<WrittenSnapshot, 'name' | 'world' | 'records'> & {
	readonly name?: string | undefined;
	readonly world?: object | undefined;
	readonly records: SnapshotRecords;
};

/** The sandbox as one file. Records hold digests only, so the file contains no secret. */
export const snapshotEndpoints = implement(snapshotApi, {
	'GET /control/snapshot': (context) => inTurn(context, () => takeSnapshot(context)),
	'PUT /control/snapshot': (context, input) => inTurn(context, () => putSnapshot(context, input))
});

async function takeSnapshot(context: ControlContext): Promise<WireResult> {
	const { store, base_url, state } = context.sandbox;
	const records: SnapshotRecords = {
		application: withoutOwners(await store.list('application')),
		account: await store.list('account'),
		permission: await store.list('permission'),
		character: await store.list('character'),
		record_list: await store.list('record_list'),
		grant: await store.list('grant'),
		token_family: withoutOwners(await store.list('token_family')),
		code: withoutOwners(await store.list('code')),
		access_token: withoutOwners(await store.list('access_token')),
		refresh_token: await store.list('refresh_token'),
		rate_limit_window: withoutOwners((await store.list('rate_limit_window')).filter(([key]) => !isConcurrencyKey(key))),
		blacklist_entry: withoutOwners(await store.list('blacklist_entry')),
		ticket: withoutOwners(await store.list('ticket'))
	};
	const { offset, settings } = state;
	const created_at = context.options.now();
	const world = await ownWorldOf(context.sandbox);
	const content: SnapshotContent = {
		name: context.sandbox.state.name,
		...(Object.keys(world).length > 0 && { world }),
		base_url,
		created_at,
		offset,
		settings,
		records
	};
	const text = JSON.stringify(content);
	const head = JSON.stringify({ format: file.format, version: file.version, checksum: context.options.digest(text) });
	const snapshot = `${head.slice(0, -1)},"content":${text}}`;
	const limit = bodyLimitOf(context.route, context.sandbox.id === rootSandbox);
	if (snapshot.length > limit) {
		throw new ProtocolError(
			'limit_reached',
			`The sandbox is too large: a snapshot can have at most ${limit / 1024} KiB. Delete some records first.`
		);
	}
	return respondText(context, 200, 'application/json; charset=utf-8', snapshot, [
		'Content-Disposition',
		'attachment; filename="tollgate-snapshot.json"'
	]);
}

/** The addresses of clients are not part of a file that may be shared. */
function withoutOwners<R extends { readonly createdBy?: string }>(
	entries: readonly (readonly [string, R])[]
): [string, Omit<R, 'createdBy'>][] {
	return entries.map(([id, { createdBy: _, ...record }]) => [id, record]);
}

/** Puts a sandbox as it was when a snapshot was taken, here or on another host. A file that is not whole changes nothing. */
async function putSnapshot(context: ControlContext, input: { readonly body: unknown }): Promise<RestoredSnapshot> {
	const { base_url } = context.sandbox;
	const { content, checksum } = await readSnapshot(context, input.body);
	const { name, world, offset, settings, records } = rebase(content, base_url);
	const own = world && context.sandbox.id !== rootSandbox ? readOwnWorld(context, world).own : undefined;
	const hasApplicationAddresses = records.application.some(([, { address }]) => address !== undefined);
	const restored = { offset, settings, hasApplicationAddresses, faults: [], snapshot: checksum };
	const ownDigest = own && context.options.digest(own.file);
	await context.sandbox.replace(
		// A sandbox that has a name keeps it.
		({ world: _, ...state }) => ({
			...(name === undefined ? {} : { name }),
			...state,
			...restored,
			...(ownDigest === undefined ? {} : { world: ownDigest })
		}),
		() => ({
			...records,
			world: own === undefined ? [] : [['world', own]],
			browser_session: [],
			pending_authorization: []
		})
	);
	const counts = file.snapshotKinds.map((kind): [string, number] => [kind, records[kind].length]);
	return { base_url, clock: { now: context.now(), offset }, records: Object.fromEntries(counts) };
}

/** Snapshots block the server. Those of all sandboxes but the root take turns, with as much time for other requests in between. */
async function inTurn<T>(context: ControlContext, handle: () => Promise<T>): Promise<T> {
	if (context.sandbox.id === rootSandbox) return handle();
	const { timer = context.options.now, sleep } = context.options;
	return context.queues.snapshots.run(context.networkAddress, async () => {
		const begin = timer();
		try {
			return await handle();
		} finally {
			await sleep(timer() - begin);
		}
	});
}

/** @throws ProtocolError `invalid_request` that says what is wrong with the file */
async function readSnapshot(
	context: ControlContext,
	sent: unknown
): Promise<{ readonly content: SnapshotContent; readonly checksum: string }> {
	const envelope = v.looseObject({ format: v.literal(file.format), version: v.number() });
	if (!v.is(envelope, sent)) throw invalid('The file is not a Tollgate snapshot.');
	if (sent.version !== file.version) {
		throw invalid(
			`The snapshot has version ${String(sent.version)}. This service reads version ${String(file.version)}.`
		);
	}
	const checksum = sent.content === undefined ? undefined : checksumOf(context, sent.content);
	if (checksum === undefined || checksum !== sent.checksum) {
		throw invalid('The snapshot is damaged: its checksum does not match.');
	}
	const result = v.safeParse(file.snapshotContent, sent.content, { abortEarly: true });
	if (!result.success) {
		const [issue] = result.issues;
		throw wrong(v.getDotPath(issue), issueText(issue));
	}
	const { offset } = result.output;
	const records = await completeRecords(context, result.output);
	if (context.options.now() + offset > file.maxClock) throw wrong('offset', 'the clock would be after the year 2200');
	for (const kind of file.snapshotKinds) {
		const entries = records[kind];
		if (entries.length > maxIn(recordLimits[kind], context.sandbox.id)) {
			throw wrong(`records.${kind}`, 'there are more than a sandbox can hold');
		}
		const keys = new Set<string>();
		entries.forEach(([key], at) => {
			if (keys.has(key)) throw wrong(`records.${kind}.${at}.0`, 'the key occurs twice');
			keys.add(key);
		});
	}
	requireKey('application', records.application, ({ client_id }) => client_id);
	requireKey('account', records.account, ({ username }) => username);
	requireKey('grant', records.grant, ({ username, client_id }) => grantKey(username, client_id));
	requireKey('permission', records.permission, ({ scope }) => scope);
	requireKey('character', records.character, ({ name }) => characterKey(name));
	requireKey('record_list', records.record_list, listKey);
	const known = new Set([...records.permission.map(([scope]) => scope), ...identityScopes.keys()]);
	for (const kind of ['grant', 'code', 'access_token', 'refresh_token'] as const) {
		const at = records[kind].findIndex(([, { scopes }]) => scopes.some((scope) => !known.has(scope)));
		if (at >= 0) throw wrong(`records.${kind}.${at}.1.scopes`, 'one is not among the permissions');
	}
	return { content: { ...result.output, records }, checksum };
}

/** The records of a snapshot. If it has no permissions and characters, they are those of a fresh sandbox. */
async function completeRecords({ sandbox }: ControlContext, { records }: WrittenSnapshot): Promise<SnapshotRecords> {
	const seeded = await sandbox.seed.records();
	const { permission, character, record_list } = seeded({ base_url: sandbox.base_url, registered: sandbox.seconds() });
	return { permission, character, record_list, ...records };
}

function requireKey<One>(
	kind: string,
	entries: readonly (readonly [string, One])[],
	keyOf: (record: One) => string
): void {
	const at = entries.findIndex(([key, record]) => key !== keyOf(record));
	if (at >= 0) throw wrong(`records.${kind}.${at}.0`, 'the key does not match the record');
}

/** What belonged to the base URL that a snapshot was taken at belongs to that of this sandbox. */
function rebase(content: SnapshotContent, base_url: string): SnapshotContent {
	const from = `${content.base_url}/`;
	const move = (uri: string) => (uri.startsWith(from) ? `${base_url}/${uri.slice(from.length)}` : uri);
	const { records } = content;
	const application = records.application.map(([key, application], at): [string, Application] => [
		key,
		{ ...application, ...rebaseUris(application, move, `records.application.${at}.1`) }
	]);
	const code = records.code.map(([key, code]): [string, AuthorizationCode] => [
		key,
		{ ...code, redirect_uri: move(code.redirect_uri) }
	]);
	return { ...content, records: { ...records, application, code } };
}

function rebaseUris(
	{ kind, redirect_uris, post_logout_redirect_uris: after = [] }: Application,
	move: (uri: string) => string,
	place: string
): Partial<Application> {
	if (redirect_uris.length === 0) return {};
	try {
		const moved = { redirect_uris: redirect_uris.map(move), post_logout_redirect_uris: after.map(move) };
		// Of either dialect: an application keeps its redirect URIs when the dialect changes.
		return validateUris(kind, moved, 'any');
	} catch (fault) {
		if (!(fault instanceof ProtocolError)) throw fault;
		throw wrong(`${place}.${fault.field?.split('.', 1)[0] ?? ''}`, fault.message.replace(/\.$/, ''));
	}
}

/** Undefined where the content is nested too deeply to be written. */
function checksumOf(context: ControlContext, content: unknown): string | undefined {
	try {
		return context.options.digest(JSON.stringify(content));
	} catch {
		return undefined;
	}
}

function wrong(place: string | null, reason: string): ProtocolError {
	return invalid(`The snapshot is invalid at ${place === null ? 'content' : `content.${place}`}: ${reason}.`);
}

function invalid(description: string): ProtocolError {
	return new ProtocolError('invalid_request', description);
}
