import { createContext } from 'svelte';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { challengeOf } from '#client/oauth/authorization-request.ts';
import { issued } from '#evidence/exchanges.ts';
import type { SignedInUser } from '#client/storage/schema.ts';
import { openCompanion } from '../../viewer/open-companion.ts';
import { openViewer } from '../../viewer/open-page.ts';
import type { Viewer } from '../../viewer/viewer.svelte.ts';
import { RequestBuilder } from '../../request-builder/request-builder.svelte.ts';
import { storedAddress } from '#client/virtual-address.svelte.ts';
import type { World } from '#client/world.ts';
import { Attack } from './attack.svelte.ts';
import type { LessonSession } from '../model/lesson-session.svelte.ts';
import type { Stage, Tool } from '../stage.ts';

type Options = {
	readonly session: LessonSession;
	readonly stage: Stage;
	readonly world: World;
	/** Path that the app is served from, without a trailing slash. */
	readonly base: string;
};

const ofBuilder: readonly Tool['kind'][] = ['request'];
const ofCompanion: readonly Tool['kind'][] = ['companion'];
/** They read the session only. */
const ofSession: readonly Tool['kind'][] = ['end-tokens', 'clock', 'pause', 'headers', 'fields', 'status', 'tickets'];

/** What the tools of a lesson share, from the first step to the last. */
export class StageTools {
	readonly session: LessonSession;
	readonly builder: RequestBuilder;
	readonly attack: Attack;
	viewer: Viewer | undefined = $state.raw();
	companion: Awaited<ReturnType<typeof openCompanion>> | undefined = $state.raw();
	readonly #options: Options;
	readonly #kinds: readonly Tool['kind'][];

	constructor(options: Options) {
		this.#options = options;
		const { session, stage, world } = options;
		this.session = session;
		this.#kinds = stage.steps.flatMap(({ tools }) => tools.map(({ kind }) => kind));
		this.attack = new Attack(session.api);
		this.builder = new RequestBuilder({
			api: session.api,
			fetch: (url, init) => fetch(url, init),
			storage: sessionStorage,
			virtualAddress: storedAddress(),
			keepsSecrets: true,
			world
		});
	}

	/** Opens what the tools of the lesson need. Returns a function that ends it. */
	start(): () => void {
		const ends: (() => void)[] = [];
		let isOver = false;
		const keep = (end: () => void) => (isOver ? end() : ends.push(end));
		const { session, base } = this.#options;
		const { baseUrl } = session.api;
		if (this.#kinds.some((kind) => ofBuilder.includes(kind))) void this.builder.start();
		if (this.#kinds.some((kind) => ofCompanion.includes(kind)))
			void openCompanion(baseUrl, base).then((companion) => {
				this.companion = companion;
				keep(companion.viewer.start({ isQuiet: true }));
			});
		if (this.#kinds.some((kind) => ![...ofBuilder, ...ofCompanion, ...ofSession].includes(kind)))
			void openViewer(baseUrl, base).then((viewer) => {
				this.viewer = viewer;
				keep(viewer.start({ isQuiet: true }));
			});
		return () => {
			isOver = true;
			for (const end of ends) end();
		};
	}
}

/**
 * The users of the viewer whose refresh token is one of the learner's, by the log: it knows tokens by the SHA-256 hash that code
 * challenges have too. The viewer does not know who signed in, and keeps those who signed in by mistake.
 */
export async function usersOf<User extends Pick<SignedInUser, 'refresh_token'>>(
	list: readonly User[],
	entries: readonly TrafficEntry[],
	username: string
): Promise<User[]> {
	const own = entries.filter((entry) => entry.username === username);
	const ids = new Set(own.map((entry) => issued(entry, 'refresh_token')?.id));
	const hashes = await Promise.all(
		list.map(async ({ refresh_token }) => (refresh_token === null ? '' : challengeOf(refresh_token)))
	);
	return list.filter((_, index) => ids.has(hashes[index]));
}

export const [getTools, setTools] = createContext<StageTools>();
