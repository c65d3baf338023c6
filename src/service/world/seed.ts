import { defaultSettings, type Settings, type SettingsChange } from '#api/control/settings.ts';
import type { RecordSet } from '#store/store.ts';
import { base64url, encodeUtf8, timingSafeEqual } from '../core/encoding.ts';
import type { Account, Records, SandboxState } from '../sandbox/records.ts';
import { listKey, seedBytes } from './validate-world.ts';
import { resolveBaseUrl } from '../sandbox/redirect-uris.ts';
import type { ServiceOptions } from '../core/options.ts';
import { readWorld } from './read-world.ts';
import type { World } from './world.ts';
import { WorldError } from './world-mistakes.ts';

/** The password of accounts that a world or preset does not give another one, and of the test cards. */
export const demoPassword = 'demo';

type StoredPassword = Pick<Account, 'salt' | 'password'>;

/** The salt of all passwords of a world. Each is hashed once for all sandboxes. */
const salt = 'tollgate-demo';

/** The demo password as `scrypt` makes it, so that no start of a service waits for that. */
export const demoStored: StoredPassword = { salt, password: 'idtmVvtepIQNN5L1Zz5biFKfEEhF7-O9GcpGKuSUkpc' };

/** The kinds of record that a world fills. */
type SeededKind = 'application' | 'account' | 'permission' | 'character' | 'record_list';

type SeedRecords = Required<Pick<RecordSet<Records>, SeededKind>>;

/** `registered`: Unix seconds, by the clock of the sandbox. */
type SeededSandbox = { readonly base_url: string; readonly registered: number };

/** How many passwords of worlds are remembered. A class has one world for many sandboxes. */
const maxStored = 1000;

/** What every fresh sandbox of a service begins with. */
export class Seed {
	readonly world: World;
	/** Roughly the memory of the characters and permissions of one sandbox, in bytes. */
	readonly bytes: number;
	readonly #options: Pick<ServiceOptions, 'digest' | 'scrypt'>;
	/** By the digest of the password. */
	readonly #stored: Map<string, Promise<StoredPassword>>;

	/**
	 * @param brand of the demo world, where the options have no world
	 * @param stored passwords that were hashed before
	 */
	constructor(
		{ world, digest, scrypt }: Pick<ServiceOptions, 'world' | 'digest' | 'scrypt'>,
		brand?: World['brand'],
		stored = new Map<string, Promise<StoredPassword>>()
	) {
		this.#stored = stored;
		const demo = () => readWorld({ format: 'tollgate-world', version: 1, ...(brand && { brand }) }, { digest });
		this.world = world ?? demo();
		this.bytes = seedBytes(this.world);
		this.#options = { digest, scrypt };
	}

	/**
	 * The seed of a sandbox with its own world. How many sandboxes there can be remains the server's decision.
	 * @param file a world file as JSON. One that this version cannot read, because another one wrote it, changes nothing
	 */
	withWorld(file: string): Seed {
		try {
			const { sandboxes } = this.world;
			const world = { ...readWorld(file, this.#options), sandboxes };
			return new Seed({ ...this.#options, world }, undefined, this.#stored);
		} catch (fault) {
			if (fault instanceof WorldError) return this;
			throw fault;
		}
	}

	/**
	 * The initial state of a sandbox.
	 * @param isShared true: clients that do not control it share it. It has no virtual addresses then, because with them every client
	 *   evades the limits and the blacklist.
	 */
	initialState(createdAt: number, isShared = false): SandboxState {
		const settings = mergeSettings(defaultSettings, this.world.settings);
		return {
			createdAt,
			key: undefined,
			ownerKeys: [],
			offset: 0,
			settings: { ...settings, virtual_addresses: settings.virtual_addresses && !isShared },
			hasApplicationAddresses: false,
			faults: []
		};
	}

	/** Gives the records of a fresh sandbox, once the passwords are hashed: one at a time, because others sign in meanwhile. */
	async records(): Promise<(sandbox: SeededSandbox) => SeedRecords> {
		const { applications, accounts, permissions, characters, lists } = this.world;
		const account: [string, Account][] = [];
		for (const { username, password } of accounts)
			account.push([username, { username, ...(await this.#hash(password)) }]);
		return ({ base_url, registered }) => ({
			application: applications.map((application) => {
				const resolve = (uris: readonly string[]) => uris.map((uri) => resolveBaseUrl(uri, base_url));
				const redirect_uris = resolve(application.redirect_uris);
				const after = application.post_logout_redirect_uris;
				const post_logout = after === undefined ? {} : { post_logout_redirect_uris: resolve(after) };
				return [application.client_id, { ...application, redirect_uris, ...post_logout, registered }];
			}),
			account,
			permission: permissions.map((permission) => [permission.scope, permission]),
			character: characters.map((character) => [characterKey(character.name), character]),
			record_list: lists.map((list) => [listKey(list), list])
		});
	}

	/**
	 * Whether an account still has the password that the world gave it, and this is it. That needs no hash. Any other password has to be
	 * hashed, so a guess shows nothing by its time.
	 */
	async hasPassword({ username, ...stored }: Account, password: string): Promise<boolean> {
		const given = this.world.accounts.find((account) => account.username === username)?.password ?? demoPassword;
		if (stored.salt !== salt || !timingSafeEqual(given, password)) return false;
		return timingSafeEqual((await this.#hash(password)).password, stored.password);
	}

	async #hash(password: string): Promise<StoredPassword> {
		if (password === demoPassword) return demoStored;
		const key = this.#options.digest(password);
		const known = this.#stored.get(key);
		if (known !== undefined) return known;
		if (this.#stored.size >= maxStored) this.#stored.clear();
		const stored = this.#options
			.scrypt(password, encodeUtf8(salt))
			.then((hash) => ({ salt, password: base64url(hash) }));
		this.#stored.set(key, stored);
		return stored;
	}
}

/** The key of a character, the same for every Unicode normal form of its name. */
export function characterKey(name: string): string {
	return name.normalize('NFC');
}

/** The settings with those in place that a change names. */
export function mergeSettings(settings: Settings, change: SettingsChange): Settings {
	return {
		...settings,
		...change,
		lifetimes: { ...settings.lifetimes, ...change.lifetimes },
		limits: { ...settings.limits, ...change.limits }
	};
}
