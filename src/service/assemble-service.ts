import { StoreUnavailable } from '#store/errors.ts';
import type { WireRequest, WireResponse, WireResult } from '#api/message.ts';
import { failedLine } from '#evidence/signals/step-log.ts';
import type { RecordKey } from '#store/store.ts';
import { AddressRate } from './core/address-limits.ts';
import { attemptWindow } from './checks/attempt-limits.ts';
import { corsHeaders } from './checks/cors.ts';
import { rejectBlacklisted } from './checks/blacklist.ts';
import { applyPostCommitFault, hasFaults } from './checks/faults.ts';
import { readNetworkAddress } from './address/network-address.ts';
import type { HandleRequest } from './control/authorizations.ts';
import type { Context, CredentialOverrides } from './core/context.ts';
import { findClientAddress, type AddressSource } from './address/client-address.ts';
import { base64url } from './core/encoding.ts';
import { createEndpoints } from './endpoints.ts';
import { createQueues } from './core/fair-queue.ts';
import { quotasOf } from './core/quotas.ts';
import { unknownSandbox, unsimulatedPath } from './not-found.ts';
import {
	loadProviders,
	namedProvider,
	namedSurface,
	type NamedSurface,
	settingsSurface,
	spokenDialect
} from './provider/providers.ts';
import { translateRequest, translateResponse } from './provider/translate-response.ts';
import { createTraceLine, type Endpoint } from './core/runner.ts';
import { findRoute, type Route } from './core/routes.ts';
import type { OpenClasses } from './control/classes.ts';
import type { PauseLine } from './pause/messages.ts';
import { Pauses } from './pause/pauses.ts';
import { formOf, type Sandbox, sentAccessToken, takesAccessToken } from './sandbox/sandbox.ts';
import { SandboxRegistry } from './sandbox-registry.ts';
import type { Service } from './service.ts';
import type { ServiceOptions, StatusClass } from './core/options.ts';
import { readTarget, rootSandbox } from './core/target.ts';
import { httpDate } from './core/time.ts';
import { noWeaknesses, type Weaknesses } from './core/weaknesses.ts';
import { toTrafficEntry } from './traffic/traffic-entry.ts';
import type { Records } from './sandbox/records.ts';
import type { World } from './world/world.ts';

type BlacklistQuery = Parameters<Service['isBlacklisted']>[0];

const noOverrides: CredentialOverrides = new Map();

/**
 * Creates the simulated service. Every host, test and library user calls this function.
 * @param openClasses opens its classes. Absent: it has none
 * @param weaknesses what it does wrong, in a lab
 * @param agentServer its server for agents. Absent: it has none
 */
export function assembleService(
	options: ServiceOptions,
	openClasses?: OpenClasses,
	weaknesses: Weaknesses = noWeaknesses,
	agentServer?: Endpoint
): Service {
	const registry = new SandboxRegistry(options);
	const classService = openClasses?.(registry, options);
	const handle: HandleRequest = (request, overrides) => respond(request, createId(), overrides);
	const endpoints = createEndpoints(registry, handle, classService?.endpoints, agentServer);
	const quotas = quotasOf(options);
	const queues = createQueues(quotas);
	const issued = new AddressRate(quotas.tokensPerAddress, attemptWindow);
	const timer = options.timer ?? options.now;
	const pauses = new Pauses(options);

	/** The `X-Request-Id` of a request. */
	const createId = () => base64url(options.random(12));

	async function respond(
		request: WireRequest,
		id: string,
		credentialOverrides = noOverrides,
		paused?: PauseLine,
		target = readTarget(request.target)
	): Promise<WireResult> {
		const begin = timer();
		const durableChanges = options.store.durableChanges();
		const { sandboxId } = target;
		const { body, headers } = request;
		const loading = loadProviders(namedProvider(target.path), options.providers);
		if (loading !== undefined) await loading;
		const networkAddress = readNetworkAddress(request.peer, headers, options.trustedProxies ?? 0);
		const sent = { options, query: target.query, headers, body, networkAddress };
		const locate = createLocator(target.path, request.method);
		const opened = await registry.open(sandboxId, (sandbox) =>
			expectedRecords({ ...sent, sandbox, route: locate(sandbox).route.name })
		);
		const sandbox = opened?.sandbox;
		const { path, route, named } = locate(sandbox);
		const source = { ...sent, route: route.name };
		const address = sandbox && findClientAddress({ ...source, sandbox });
		const { state, seed } = sandbox ?? registry.root;
		const { settings } = state;
		const spoken = loadProviders(settings.dialect, options.providers);
		// What a sandbox speaks can be changed without it.
		if (spoken !== undefined) await (route.name === 'control' ? spoken.catch(() => undefined) : spoken);
		const surface = named ?? settingsSurface(settings, path, seed.world);
		const read = surface && translateRequest(surface, request, target.query);
		const handler = named !== undefined && named.endpoint === undefined ? unsimulatedPath : endpoints[route.endpoint];
		const { context, respond } = (sandbox === undefined ? unknownSandbox : handler).open({
			request: read?.request ?? request,
			received: request,
			dialect: surface?.provider.dialect ?? spokenDialect(settings, seed.world),
			surface,
			id,
			sandbox: sandbox ?? registry.root,
			store: opened?.store ?? registry.root.store,
			options,
			queues,
			issued,
			pauses,
			classService,
			weaknesses,
			path,
			query: read?.query ?? target.query,
			networkAddress,
			clientAddress: (typeof address === 'object' ? await address : address) ?? networkAddress,
			route,
			credentialOverrides
		});
		if (paused !== undefined)
			context.trace.push({ ...createTraceLine(paused.id, 'passed', context.dialect.name), detail: paused.detail });
		if (read !== undefined && read.changes.length > 0)
			context.trace.push({
				...createTraceLine('provider.request_read', 'passed', context.dialect.name),
				detail: read.changes.map(({ text }) => text).join(', ')
			});
		const handled = translateResponse(context, await respond());
		const result = finish(context, hasFaults(context) ? await applyPostCommitFault(context, handled) : handled);
		if (context.end !== undefined) await context.end();
		const settled = options.store.settled(durableChanges);
		if (settled !== undefined) await settled;
		const duration = timer() - begin;
		const outcome = outcomeOf(context, result);
		options.observe?.({ endpoint: route.name, outcome, duration: duration - context.delayed });
		if (sandbox !== undefined && (route.isLogged || isRejectedControl(context, result))) {
			if (sandbox.seat !== undefined && route.isLogged)
				classService?.classes.counts.add(sandbox.seat, failedLine({ trace: context.trace }) !== undefined);
			const entry = toTrafficEntry(context, result, duration);
			const appended = sandbox.traffic.append(entry);
			options.onLogged?.(sandbox.id, entry, outcome);
			if (appended !== undefined) await appended;
		}
		return result;
	}

	async function isBlacklisted({ method, target, peer, headers }: BlacklistQuery): Promise<boolean> {
		const { sandboxId, path, query } = readTarget(target);
		const sandbox = await registry.find(sandboxId);
		const { endpoint, name: route } = createLocator(path, method)(sandbox).route;
		if (sandbox === undefined || !endpoints[endpoint].checks.includes(rejectBlacklisted)) return false;
		const networkAddress = readNetworkAddress(peer, headers, options.trustedProxies ?? 0);
		const source = { sandbox, options, route, query, headers, body: undefined, networkAddress };
		const address = await findClientAddress(source);
		return address !== undefined && (await sandbox.store.get('blacklist_entry', address)) !== undefined;
	}

	async function hasSandbox(target: string): Promise<boolean> {
		return (await registry.find(readTarget(target).sandboxId)) !== undefined;
	}

	async function worldVersion(target: string): Promise<string> {
		const { snapshot = '', world = '' } = (await registry.find(readTarget(target).sandboxId))?.state ?? {};
		return `${snapshot} ${world}`.trim();
	}

	return {
		async handle(request) {
			const id = createId();
			try {
				const target = readTarget(request.target);
				const pause = pauses.find(target.sandboxId ?? rootSandbox);
				if (pause === undefined) return await respond(request, id, noOverrides, undefined, target);
				return await pause.handle(request, (now, line) => respond(now, createId(), noOverrides, line));
			} catch (fault) {
				if (fault instanceof StoreUnavailable) return unavailable(id, fault);
				options.report?.(fault, id);
				return serverError(id);
			}
		},
		isBlacklisted: (request) => isBlacklisted(request).catch((fault: unknown) => ifUnavailable(fault, false)),
		// Without the store `handle` responds in place of the page.
		hasSandbox: (target) => hasSandbox(target).catch((fault: unknown) => ifUnavailable(fault, false)),
		worldVersion: (target) => worldVersion(target).catch((fault: unknown) => ifUnavailable(fault, '')),
		purge: async () => {
			await registry.purge();
			await classService?.purge();
		}
	};
}

/** Without the store it is unknown, and the host responds instead. */
function ifUnavailable<T>(fault: unknown, value: T): T {
	if (fault instanceof StoreUnavailable) return value;
	throw fault;
}

/**
 * Whether a request may not control the sandbox: these are logged, other control requests are not. One that needs no right is about
 * something else: a class, or the demo of a share link. The log of the root sandbox, where it is sent to, must not show that.
 */
function isRejectedControl({ trace }: Context, result: WireResult): boolean {
	const isRejected = result.kind === 'response' && (result.status === 403 || result.status === 429);
	return isRejected && trace.at(-1)?.id === 'control.access_granted';
}

function outcomeOf({ isSimulated }: Context, result: WireResult): StatusClass {
	if (isSimulated) return 'simulated';
	return result.kind === 'no_response' ? 'none' : `${Math.floor(result.status / 100)}xx`;
}

function finish(context: Context, result: WireResult): WireResult {
	if (result.kind === 'no_response') return result;
	const date = httpDate(context.sandbox.seconds());
	const headers = [...result.headers, ...corsHeaders(context), 'X-Request-Id', context.id, 'Date', date];
	return { ...result, headers };
}

function serverError(id: string): WireResponse {
	const description = `An internal error occurred. Report it to the operator with request ${id}.`;
	return failure(id, 500, 'server_error', description);
}

/** The host of the store reports the reason, once for many requests. */
function unavailable(id: string, { message }: StoreUnavailable): WireResponse {
	const response = failure(id, 503, 'temporarily_unavailable', `${message} Try again in a moment.`);
	return { ...response, headers: [...response.headers, 'Retry-After', '1'] };
}

function failure(id: string, status: number, error: string, error_description: string): WireResponse {
	return {
		kind: 'response',
		status,
		headers: ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store', 'X-Request-Id', id],
		body: JSON.stringify({ error, error_description })
	};
}

/** Where a request goes in a sandbox. */
type Place = {
	readonly world: World | undefined;
	readonly path: string;
	readonly route: Route;
	/** Where the path names a provider. */
	readonly named: NamedSurface | undefined;
};

/**
 * Finds the path of the specification for a request, and its route. A world can name its resource in another path, `/ws/v2.0/ship/<name>`,
 * and has its own kinds of records.
 * @param sent the path below the base URL, encoded
 * @returns takes the sandbox, undefined where it does not exist. It searches again only in another world
 */
function createLocator(sent: string, method: string): (sandbox: Sandbox | undefined) => Place {
	let found: Place | undefined;
	return (sandbox) => {
		const world = sandbox?.seed.world;
		if (found !== undefined && found.world === world) return found;
		const own = world?.resource.path === undefined ? undefined : `/ws/v2.0/${world.resource.path}/`;
		const named = namedSurface(sent, world);
		const meant = named?.path ?? sent;
		const path = own !== undefined && meant.startsWith(own) ? `/ws/v2.0/character/${meant.slice(own.length)}` : meant;
		return (found = { world, path, named, route: findRoute(path, method, world?.kinds) });
	};
}

/**
 * The records that a request will probably read first, so that a store outside of this process reads them together. The checks read what
 * is missing here, for example because the settings of the sandbox have changed.
 */
function expectedRecords(source: AddressSource): RecordKey<Records>[] {
	const { route, options, sandbox } = source;
	const found: RecordKey<Records>[] = [];
	const address = sandbox.state.hasApplicationAddresses ? undefined : findClientAddress(source);
	if (typeof address === 'string') found.push(['blacklist_entry', address]);
	if (takesAccessToken(route)) {
		const token = sentAccessToken(source);
		if (token !== undefined) found.push(['access_token', options.digest(token)]);
	}
	if (route === 'token') {
		const form = formOf(source);
		for (const kind of ['code', 'refresh_token'] as const) {
			const credential = form.get(kind);
			if (credential !== undefined) found.push([kind, options.digest(credential)]);
		}
	}
	return found;
}
