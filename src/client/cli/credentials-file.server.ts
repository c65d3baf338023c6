import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { ClientError } from '../oauth/client-error.ts';
import { createMemoryLock } from '../oauth/lock.ts';
import type { TokenSet, TokenStore } from '../oauth/token-store.ts';
import { tokenSet } from '../storage/schema.ts';

type TokenSets = Readonly<Record<string, TokenSet>>;

const fileSchema = v.object({ token_sets: v.record(v.string(), tokenSet) });

/** Stores tokens in a file that only its owner can read. Without tokens there is no file. */
export class CredentialsFile implements TokenStore {
	readonly path: string;
	readonly #lock = createMemoryLock();

	/** @param path of the file; missing folders are created */
	constructor(path: string) {
		this.path = path;
	}

	/** @throws {ClientError} `credentials_unreadable` */
	async get(id: string): Promise<TokenSet | undefined> {
		return (await this.#read())[id];
	}

	/**
	 * Returns all token sets, the oldest first.
	 * @throws {ClientError} `credentials_unreadable`
	 */
	async list(): Promise<readonly TokenSet[]> {
		return Object.values(await this.#read());
	}

	/** @throws {ClientError} `credentials_unreadable`, `credentials_unwritable` */
	update(id: string, change: (current: TokenSet | undefined) => TokenSet | undefined): Promise<TokenSet | undefined> {
		return this.#lock(this.path, async () => {
			const { [id]: current, ...others } = await this.#read();
			const next = change(current);
			const tokenSets = next === undefined ? others : { ...others, [id]: next };
			if (Object.keys(tokenSets).length > 0) await this.#write(tokenSets, (file) => rename(file, this.path));
			else await rm(this.path, { force: true }).catch((error: unknown) => this.#failWrite(error));
			return next;
		});
	}

	/**
	 * Checks that tokens can be stored, before the user signs in.
	 * @throws {ClientError} `credentials_unreadable`, `credentials_unwritable`
	 */
	async check(): Promise<void> {
		await this.#write(await this.#read(), (file) => rm(file));
	}

	async #read(): Promise<TokenSets> {
		try {
			return v.parse(fileSchema, JSON.parse(await readFile(this.path, 'utf8'))).token_sets;
		} catch (error) {
			// ENOTDIR: one of its folders is a file.
			if (error instanceof Error && 'code' in error && /^(?:ENOENT|ENOTDIR)$/.test(String(error.code))) return {};
			throw new ClientError('credentials_unreadable', this.path, { cause: error });
		}
	}

	/** @param finish gets a complete file beside the real one, so that no reader finds half of it */
	async #write(token_sets: TokenSets, finish: (file: string) => Promise<void>): Promise<void> {
		const file = `${this.path}.${randomBytes(6).toString('hex')}`;
		const text = `${JSON.stringify({ token_sets }, null, '\t')}\n`;
		try {
			await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
			await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
			await finish(file);
		} catch (error) {
			await rm(file, { force: true }).catch(() => undefined); // the first error is the one to report
			this.#failWrite(error);
		}
	}

	#failWrite(error: unknown): never {
		throw new ClientError('credentials_unwritable', dirname(this.path), { cause: error });
	}
}
