import { createContext } from 'svelte';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { characterViewer, pocketCompanion } from '#client/demo-clients.ts';
import { challengeOf } from '#client/oauth/authorization-request.ts';
import { issued } from '#evidence/exchanges.ts';
import type { SignedInUser } from '#client/storage/schema.ts';
import { isNumbered } from '#client/storage/user-store.ts';
import { followClientEvents } from '#features/inspector/place-events.ts';
import { openCompanion } from '#features/viewer/open-companion.ts';
import { loadTestOf } from '#features/viewer/load-test.svelte.ts';
import { openViewer } from '#features/viewer/open-page.ts';
import type { Viewer } from '#features/viewer/viewer.svelte.ts';
import { toCurl } from '#features/inspector/copy-as/curl.ts';
import { codeParts } from '#features/request-builder/compose.ts';
import { RequestBuilder } from '#features/request-builder/request-builder.svelte.ts';
import { sends, set, valueOf } from '#features/request-builder/draft.ts';
import { authenticatedBy, withPushed } from '#features/request-builder/drafts.ts';
import { storedAddress } from '#client/virtual-address.svelte.ts';
import type { World } from '#client/world.ts';
import { characterPath, patterns, serviceUrls } from '#client/service-urls.ts';
import { endServiceSession } from '#features/viewer/end-service-session.ts';
import type { Repair } from '../evaluation/notice.ts';
import { rejectedCodes, rejectedField } from '../evaluation/rejected-codes.ts';
import { changesSince, type Change } from '../evaluation/result-text.ts';
import { asksFor, type Step } from '../evaluation/step.ts';
import { Attack } from './attack.svelte.ts';
import type { LessonSession } from '../model/lesson-session.svelte.ts';
import type { Stage, StageStep, Tool } from '../stage.ts';

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
const ofSession: readonly Tool['kind'][] = [
	'own-client',
	'end-tokens',
	'clock',
	'pause',
	'headers',
	'fields',
	'status',
	'tickets',
	'device',
	'key',
	'impersonation',
	'provider'
];

/** What the tools of a lesson share, from the first step to the last. */
export class StageTools {
	readonly session: LessonSession;
	readonly builder: RequestBuilder;
	readonly attack: Attack;
	viewer: Viewer | undefined = $state.raw();
	companion: Awaited<ReturnType<typeof openCompanion>> | undefined = $state.raw();
	/** The usernames of the users of the viewer, by their ids. */
	usernames: ReadonlyMap<string, string> = $state.raw(new Map());
	readonly #options: Options;
	readonly #kinds: readonly Tool['kind'][];

	constructor(options: Options) {
		this.#options = options;
		const { session, stage, world } = options;
		this.session = session;
		this.#kinds = stage.steps.flatMap(({ tools }) => tools.map(({ kind }) => kind));
		this.attack = new Attack(session.api, sessionStorage);
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
		if (this.#kinds.includes('attack')) {
			keep(followClientEvents(session.inspector, () => sessionStorage, baseUrl, base));
			$effect(() => {
				const known = session.entered.map(({ field, value }) => field === rejectedField && value);
				const code = rejectedCodes(session.inspector.events).find((one) => !known.includes(one));
				if (code !== undefined) void session.enter(rejectedField, code);
			});
		}
		$effect(() => {
			const { viewer } = this;
			if (viewer === undefined) return;
			const { list } = viewer.users;
			void usernamesOf(list, session.entries).then((usernames) => {
				if (!isOver && list === viewer.users.list) this.#name(viewer, usernames);
			});
		});
		return () => {
			isOver = true;
			for (const end of ends) end();
		};
	}

	/** Gives the request of a step its application and its parameters. Another step may have turned them on or off. */
	prepare({ request, client, sets, ...tool }: Extract<Tool, { kind: 'request' }>): void {
		const { builder } = this;
		const usesPkce = tool.usesPkce === true;
		const { client_id } = client === 'companion' ? pocketCompanion('') : characterViewer(this.session.api.baseUrl);
		if (builder.client_id !== client_id) builder.chooseApplication(client_id);
		const { request_uri, ...others } = sets ?? {};
		if (request_uri !== undefined) this.referToPushed();
		const isAssertion = others.client_assertion !== undefined;
		builder.drafts = { ...builder.drafts, [request]: authenticatedBy(builder.drafts[request], isAssertion) };
		const [, token] = / (.+)$/.exec(valueOf(builder.drafts.character, 'Authorization')) ?? [];
		const actor = valueOf(builder.drafts.token_exchange, 'actor_token');
		if (request === 'token_exchange' && token !== undefined && token !== actor) builder.set({ subject_token: token });
		builder.setShown(others);
		// A pair that waits for its code stays, also over a reload.
		const hasPair = builder.isPairOpen && sends(builder.drafts.authorization, 'code_challenge');
		if (request === 'authorization' && usesPkce && !hasPair) void builder.renewPkce();
		for (const [index, { name }] of builder.draft.parameters.entries()) {
			const isUnset = sets?.[name] === undefined && ['renew_previously_granted', 'prompt', 'DPoP'].includes(name);
			if (name === 'code_verifier') builder.edit(index, { isOn: usesPkce });
			else if (name.startsWith('actor_token')) builder.edit(index, { isOn: tool.namesActor === true });
			else if (isUnset || (name.startsWith('code_challenge') && !usesPkce)) builder.edit(index, { isOn: false });
		}
	}

	/** Gives the requests of the lesson what a response brings, as if the tool that asks for the exchange had sent it. */
	receive(entry: TrafficEntry, body: string): void {
		const { builder } = this;
		if (!builder.isReady) return;
		const all = this.#options.stage.steps.flatMap(({ tools }) => tools);
		const tool = all.find((one) => one.kind === 'request' && asksFor({ tools: [one] }, entry));
		if (tool?.kind === 'request') builder.receive(tool.request, { body });
	}

	/** Gives the requests of the lesson what a sign-in brings: the code, its redirect URI and its verifier. */
	learn(values: Readonly<Record<string, string>>): void {
		const { builder } = this;
		if (!builder.isReady) return;
		const exchange = Object.entries(values).reduce(
			(draft, [name, value]) => set(draft, name, value),
			builder.drafts.exchange
		);
		builder.drafts = { ...builder.drafts, exchange };
	}

	/** Whether a load of the viewer still sends, also after the learner has opened another step. */
	get isLoading(): boolean {
		return this.viewer !== undefined && loadTestOf(this.viewer).isRunning;
	}

	/** Does what a notice offers. @throws ControlError, ClientError */
	async repair(repair: Exclude<Repair, { kind: 'open-step' }>): Promise<void> {
		const { api } = this.session;
		if (repair.kind === 'sign-out')
			await endServiceSession((url, init) => fetch(url, init), serviceUrls(api.baseUrl).account);
		else await openWindow(api, repair.until, repair.isOpened ? () => this.read() : undefined);
		this.session.changed();
	}

	/** Sends one request of the viewer, whatever it knows about the limit. @throws ClientError */
	async read(name?: string, address?: string): Promise<void> {
		const { viewer } = this;
		const user = viewer?.users.active;
		if (viewer === undefined || user?.ended !== null) return;
		const { resources, world } = viewer.client;
		const added = address === undefined ? {} : { headers: { 'x-tollgate-address': address } };
		const request = { tokenSetId: user.id, pattern: patterns.character, ignoreLimits: true, ...added };
		await resources.get(characterPath(name ?? world.viewer.shows[0] ?? '', world.resource.path), request);
	}

	/** Sends the request of a step with one ready mistake in it. */
	async sendMistake(tool: Extract<Tool, { kind: 'request' }>, id: string): Promise<void> {
		const { builder } = this;
		this.prepare(tool);
		builder.chooseMistake(tool.request, id);
		await builder.send();
		builder.chooseMistake(tool.request, null);
	}

	/** What the learner changed in the request of a step since it was sent. */
	changesIn({ data, attempts }: Step): readonly Change[] {
		const tool = data.tools.find(({ kind }) => kind === 'request');
		const { builder } = this;
		if (tool?.kind !== 'request' || !builder.isReady || builder.kind !== tool.request) return [];
		return changesSince(attempts.at(-1), builder.draft.parameters, tool.edits ?? []);
	}

	/** The request of a step as a command. Empty where its control sends none that is built here. */
	callOf(data: StageStep | undefined): string {
		const tool = data?.tools.find(({ kind }) => kind === 'request');
		if (tool?.kind !== 'request' || !this.builder.isReady) return '';
		return toCurl(codeParts(this.builder.drafts[tool.request], this.builder.baseUrl));
	}

	/** Puts the reference to the newest pushed request into the authorization request, in place of all parameters. */
	referToPushed(): void {
		const { drafts } = this.builder;
		this.builder.drafts = withPushed(drafts, valueOf(drafts.authorization, 'request_uri'));
	}

	/** The viewer has numbers for its users. A lesson calls them by the usernames that its steps name. */
	#name({ users }: Viewer, usernames: ReadonlyMap<string, string>): void {
		this.usernames = usernames;
		for (const { id, label } of users.list) {
			const username = usernames.get(id);
			if (username !== undefined && isNumbered(label)) void users.rename(id, username);
		}
	}
}

/**
 * Who signed in to get the tokens of each user of the viewer, by the id of the user. The viewer does not know it. The log knows tokens by
 * the SHA-256 hash that code challenges have too.
 */
export async function usernamesOf(
	list: readonly Pick<SignedInUser, 'id' | 'access_token' | 'refresh_token'>[],
	entries: readonly TrafficEntry[]
): Promise<ReadonlyMap<string, string>> {
	const usernames = new Map<string, string>();
	for (const entry of entries)
		for (const kind of ['access_token', 'refresh_token'] as const) {
			const token = issued(entry, kind);
			if (token !== undefined && entry.username !== undefined) usernames.set(token.id, entry.username);
		}
	const found = new Map<string, string>();
	for (const { id, access_token, refresh_token } of list)
		for (const token of [access_token, refresh_token ?? '']) {
			const username = usernames.get(await challengeOf(token));
			if (username !== undefined) found.set(id, username);
		}
	return found;
}

export const [getTools, setTools] = createContext<StageTools>();

/**
 * Moves the clock of the sandbox to a time, where it is not there yet.
 * @param until in milliseconds since 1970
 * @param send sends the request that opens the next window
 * @throws ControlError
 */
export async function openWindow(api: ControlApi, until: number, send?: () => Promise<unknown>): Promise<void> {
	const { now } = await api.request('GET /control/clock');
	const advance = Math.ceil((until - now) / 1000);
	if (advance > 0) await api.request('POST /control/clock', { body: { advance } });
	await send?.();
}
