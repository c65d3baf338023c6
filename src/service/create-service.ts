import type { WireResult, WireRequest, WireResponse } from '#wire/message.ts';
import { clientAddress } from './client-address.ts';
import type { Context } from './context.ts';
import { sandboxEndpoints } from './control/sandboxes.ts';
import { SandboxRegistry } from './sandbox-registry.ts';
import { base64url, decodePercent } from './encoding.ts';
import { refuseBlacklisted } from './checks/blacklist.ts';
import { applyPostCommitFault } from './checks/faults.ts';
import { unknownPath, unknownSandbox } from './not-found.ts';
import { toTrafficEntry } from './traffic/traffic-entry.ts';
import { findRoute, routeTable } from './routes.ts';
import type { Service, ServiceOptions } from './service.ts';
import { httpDate } from './time.ts';

const nothing = { name: 'missing', endpoint: unknownPath };

/** Makes the simulated service, whole. Every host, every test and every library user gets it from here. */
export function createService(options: ServiceOptions): Service {
	const directory = new SandboxRegistry(options);
	const routes = routeTable(sandboxEndpoints(directory));
	const timer = options.timer ?? options.now;

	async function answer(request: WireRequest, id: string): Promise<WireResult> {
		const begin = timer();
		const { sandboxId, path, query } = readTarget(request.target);
		const sandbox = await directory.find(sandboxId);
		const { endpoint, name } = findRoute(routes, request.method, path) ?? nothing;
		const { context, respond } = (sandbox === undefined ? unknownSandbox(name, request.target) : endpoint).open({
			request,
			id,
			sandbox: sandbox ?? directory.root,
			options,
			path,
			query,
			address: clientAddress(request.peer, request.headers, options.trustedProxies ?? 0),
			endpoint: sandbox === undefined ? nothing.name : name
		});
		const given = finish(context, await applyPostCommitFault(context, await respond()));
		const settled = options.store.settled();
		if (settled !== undefined) await settled;
		if (sandbox !== undefined && (context.endpoint !== 'control' || isRefusal(given)))
			sandbox.traffic.append(toTrafficEntry(context, given, timer() - begin));
		return given;
	}

	return {
		async handle(request) {
			const id = base64url(options.random(12));
			try {
				return await answer(request, id);
			} catch (fault) {
				options.report?.(fault, id);
				return failure(id);
			}
		},
		async isBlacklisted({ method, target, peer, headers }) {
			const { sandboxId, path } = readTarget(target);
			const { checks } = (findRoute(routes, method, path) ?? nothing).endpoint;
			const sandbox = checks.includes(refuseBlacklisted) ? await directory.find(sandboxId) : undefined;
			if (sandbox === undefined) return false;
			const address = clientAddress(peer, headers, options.trustedProxies ?? 0);
			return (await sandbox.store.get('blacklist_entry', address)) !== undefined;
		},
		hasSandbox: async (target) => (await directory.find(readTarget(target).sandboxId)) !== undefined,
		purge: () => directory.purge()
	};
}

function readTarget(target: string): { sandboxId: string | undefined; path: string; query: string } {
	const relative = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
	const mark = relative.indexOf('?');
	const whole = mark < 0 ? relative : relative.slice(0, mark);
	const query = mark < 0 ? '' : relative.slice(mark + 1);
	const [, prefix, rest] = /^\/((?:~|%7e)[^/]*)(.*)$/is.exec(whole) ?? [];
	if (prefix === undefined || rest === undefined) return { sandboxId: undefined, path: whole, query };
	return { sandboxId: (decodePercent(prefix, false) ?? '~').slice(1), path: rest === '' ? '/' : rest, query };
}

/** Controls are not traffic of the service; but who was refused one is to be seen there. */
function isRefusal(answer: WireResult): boolean {
	return answer.kind === 'response' && (answer.status === 403 || answer.status === 429);
}

function finish(context: Context, answer: WireResult): WireResult {
	if (answer.kind === 'no_response') return answer;
	const date = httpDate(context.sandbox.seconds());
	return { ...answer, headers: [...answer.headers, 'X-Request-Id', context.id, 'Date', date] };
}

function failure(id: string): WireResponse {
	const description = `The service failed. Its operator finds the reason under request ${id}.`;
	return {
		kind: 'response',
		status: 500,
		headers: ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store', 'X-Request-Id', id],
		body: JSON.stringify({ error: 'server_error', error_description: description })
	};
}
