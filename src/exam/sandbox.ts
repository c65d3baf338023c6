import type { DialectName } from '#api/dialect.ts';
import type { PublicWorld } from '#api/control/world.ts';
import { createSecretJwt } from '#client/providers/secret-jwt.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import type { JudgedProvider } from '#evidence/provider-rules.ts';
import type { Fetch } from './browser.ts';
import { realTimers } from './timers.ts';

/** A simulated provider, by its name in URLs. */
export type ExamProvider = JudgedProvider & {
	readonly name: string;
	/** Of an own API: what the world of the sandbox describes. */
	readonly own?: object;
};

/** The sandbox of an exam, with the application of the client under test. */
export type ExamSandbox = {
	/** The control API of the sandbox. */
	readonly api: ControlApi;
	/** For `X-Tollgate-Key`. Without it, the cookie of the owner goes with `fetch`. */
	readonly key?: string;
	readonly client_id: string;
	readonly client_secret: string;
	readonly kind: 'web' | 'installed';
	readonly dialect: DialectName;
	/** The simulated provider whose client is examined. */
	readonly provider?: ExamProvider | undefined;
	/** The names of characters that exist. */
	readonly characters: readonly string[];
	/** Opens the event stream of the traffic log. */
	readonly fetch: Fetch;
};

/** What an exam needs to create its sandbox. */
export type ExamSandboxOptions = {
	/** The base URL of the root sandbox, without a trailing slash. */
	readonly rootUrl: string;
	/** Default: the global one. */
	readonly fetch?: Fetch;
	/** The key of the operator, where only the operator creates sandboxes. */
	readonly key?: string;
	readonly kind: 'web' | 'installed';
	/** `{base_url}` at the start of one is the base URL of the sandbox. An installed application has its own in `standard` only. */
	readonly redirectUris?: readonly string[];
	/** Default: `specification`. */
	readonly dialect?: DialectName;
	/** A simulated provider. Its dialect extends `standard`. */
	readonly provider?: ExamProvider | undefined;
	/** False: the dialect of the specification also accepts Bearer tokens and HTTP Basic. Default: true. */
	readonly strict?: boolean;
};

/** Each sign-in has its own user, so that no client mistakes the data of one for that of another. */
const userCount = 60;
/** Characters besides those of the world: more than an exam reads in a minute, so that no name repeats while a client may keep it. */
const ownCharacters = Array.from({ length: 120 }, (_, index) => `Exam ${index + 1}`);
/** The user whose codes the attacker has. */
export const attacker = 'exam-attacker';
const client_id = 'exam-client';
/** How long a service may take to start again, and the pause between two tries, in milliseconds. */
const restartTime = 20_000;
const retryDelay = 500;

/** The name of a user of the exam. @param index from 0 */
export function userName(index: number): string {
	return `exam-${(index % userCount) + 1}`;
}

/**
 * Creates the sandbox of an exam.
 * @throws ControlError where the server creates none
 */
export async function createExamSandbox(options: ExamSandboxOptions): Promise<ExamSandbox> {
	const { rootUrl, kind, redirectUris = [], provider, strict = true } = options;
	const { dialect = provider === undefined ? 'specification' : 'standard' } = options;
	const { fetch = (url, init) => globalThis.fetch(url, init) } = options;
	const application = {
		client_id,
		name: 'Client under test',
		kind,
		redirect_uris: [...redirectUris]
	};
	const created = await new ControlApi(rootUrl, fetch).request('POST /control/sandboxes', {
		...(options.key === undefined ? {} : { key: options.key }),
		body: {
			name: 'Exam',
			preset: {
				format: 'tollgate-preset',
				version: 1,
				...(provider?.own && { world: { format: 'tollgate-world', version: 1, provider: provider.own } }),
				...examPreset,
				settings: { ...examPreset.settings, dialect: provider?.name ?? dialect, strict },
				applications: [application]
			}
		}
	});
	const api = new ControlApi(created.base_url, patient(fetch));
	const own = created.applications.find((one) => one.client_id === client_id)?.client_secret ?? '';
	const client_secret = (provider && (await createSecretJwt(api, created.key, client_id, provider.dialect))) ?? own;
	const characters = await charactersIn(api);
	return { api, key: created.key, client_id, client_secret, kind, dialect, provider, characters, fetch };
}

/** The limits of the exam, except in the probes about limits. */
export const usualLimits = { character: 100_000, ratelimits: 100_000, blacklist_after_refused: 100_000, window: 3600 };

/** The lifetimes of the exam, except in the probes about others. In seconds. */
export const usualLifetimes = { access_token: 3920, rotation_grace: 0 };

/** The users and characters of an exam. The exam itself must not reach the limits. */
export const examPreset = {
	settings: { limits: usualLimits },
	accounts: [attacker, ...Array.from({ length: userCount }, (_, index) => userName(index))],
	characters: ownCharacters
};

/** The names of the characters that exist in the sandbox of an exam. @throws ControlError */
export async function charactersIn(api: ControlApi): Promise<string[]> {
	const world: PublicWorld = await api.request('GET /control/world');
	return [...world.characters.map(({ name }) => name), ...ownCharacters];
}

/** A `fetch` that waits for a service that starts again. */
function patient(fetch: Fetch): Fetch {
	return async (url, init) => {
		const end = realTimers.now() + restartTime;
		for (;;) {
			try {
				return await fetch(url, init);
			} catch (error) {
				if (realTimers.now() >= end || init.signal?.aborted === true) throw error;
				await realTimers.sleep(retryDelay);
			}
		}
	};
}

/** Deletes the sandbox of an exam. */
export async function deleteExamSandbox({ api, key, fetch }: ExamSandbox): Promise<void> {
	await new ControlApi(api.baseUrl, fetch).request('DELETE /control/sandbox', key === undefined ? {} : { key });
}
