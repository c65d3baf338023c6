import { account, changeAccount } from './account/account.ts';
import { applications, registerOnPage } from './account/application-registration.ts';
import { fileTicket, support } from './account/support.ts';
import { authorize } from './authorization/authorize.ts';
import { submitInteraction } from './authorization/submit-interaction.ts';
import * as accountControls from './control/accounts.ts';
import * as applicationControls from './control/applications.ts';
import * as moderation from './control/blacklist.ts';
import type { SandboxEndpoints } from './control/sandboxes.ts';
import * as settings from './control/settings.ts';
import * as snapshot from './control/snapshot.ts';
import * as traffic from './control/traffic.ts';
import { decodePercent } from './encoding.ts';
import { unknownControl, unknownPath } from './not-found.ts';
import { character } from './resource/character.ts';
import { ratelimiting } from './resource/ratelimiting.ts';
import { ratelimits } from './resource/ratelimits.ts';
import { revoke } from './token/revoke.ts';
import type { Endpoint } from './runner.ts';
import { token } from './token/token.ts';

/** One line of the route table. `method` undefined: all methods, the endpoint refuses those it doesn't take. */
export type Route = {
	readonly method?: string;
	/** Segments below the base URL; `*` is any one segment, `**` any rest, which is left encoded. */
	readonly path: string;
	readonly name: string;
	readonly endpoint: Endpoint;
};

/** Every path of the service, most special first. */
export function routeTable(sandboxes: SandboxEndpoints): readonly Route[] {
	const controls = controlRoutes(sandboxes).map((one) => ({ ...one, path: `control/${one.path}`, name: 'control' }));
	return [
		{ method: 'POST', path: 'ws/oauth2/auth', name: 'auth', endpoint: submitInteraction },
		{ path: 'ws/oauth2/auth', name: 'auth', endpoint: authorize },
		{ path: 'ws/oauth2/token', name: 'token', endpoint: token },
		{ path: 'ws/oauth2/revoke', name: 'revoke', endpoint: revoke },
		{ path: 'ws/v2.0/character/**', name: 'character', endpoint: character },
		{ path: 'ws/v2.0/ratelimits', name: 'ratelimits', endpoint: ratelimits },
		{ path: 'ratelimiting', name: 'ratelimiting', endpoint: ratelimiting },
		{ method: 'POST', path: 'account', name: 'account', endpoint: changeAccount },
		{ path: 'account', name: 'account', endpoint: account },
		{ method: 'POST', path: 'applications', name: 'applications', endpoint: registerOnPage },
		{ path: 'applications', name: 'applications', endpoint: applications },
		{ method: 'POST', path: 'support', name: 'support', endpoint: fileTicket },
		{ path: 'support', name: 'support', endpoint: support },
		...controls,
		{ path: 'control/**', name: 'missing', endpoint: unknownControl((path) => methodsOf(controls, path)) },
		{ path: '**', name: 'missing', endpoint: unknownPath }
	];
}

function controlRoutes(sandboxes: SandboxEndpoints): Omit<Route, 'name'>[] {
	return [
		{ method: 'GET', path: 'health', endpoint: sandboxes.health },
		{ method: 'POST', path: 'sandboxes', endpoint: sandboxes.create },
		{ method: 'GET', path: 'sandboxes', endpoint: sandboxes.list },
		{ method: 'DELETE', path: 'sandboxes/*', endpoint: sandboxes.removeById },
		{ method: 'GET', path: 'sandbox', endpoint: sandboxes.show },
		{ method: 'DELETE', path: 'sandbox', endpoint: sandboxes.remove },
		{ method: 'POST', path: 'reset', endpoint: sandboxes.reset },
		{ method: 'GET', path: 'clock', endpoint: settings.readClock },
		{ method: 'POST', path: 'clock', endpoint: settings.moveClock },
		{ method: 'GET', path: 'settings', endpoint: settings.readSettings },
		{ method: 'PATCH', path: 'settings', endpoint: settings.changeSettings },
		{ method: 'GET', path: 'snapshot', endpoint: snapshot.exportSnapshot },
		{ method: 'PUT', path: 'snapshot', endpoint: snapshot.importSnapshot },
		{ method: 'GET', path: 'faults', endpoint: settings.listFaults },
		{ method: 'POST', path: 'faults', endpoint: settings.addFault },
		{ method: 'DELETE', path: 'faults', endpoint: settings.clearFaults },
		{ method: 'DELETE', path: 'faults/*', endpoint: settings.clearFaults },
		{ method: 'GET', path: 'traffic', endpoint: traffic.read },
		{ method: 'DELETE', path: 'traffic', endpoint: traffic.clear },
		{ method: 'GET', path: 'traffic/stream', endpoint: traffic.stream },
		{ method: 'GET', path: 'traffic/*', endpoint: traffic.find },
		{ method: 'GET', path: 'blacklist', endpoint: moderation.list },
		{ method: 'DELETE', path: 'blacklist/**', endpoint: moderation.unblockAddress },
		{ method: 'GET', path: 'tickets', endpoint: moderation.listTickets },
		{ method: 'POST', path: 'tickets/*', endpoint: moderation.decideTicket },
		{ method: 'GET', path: 'applications', endpoint: applicationControls.list },
		{ method: 'POST', path: 'applications', endpoint: applicationControls.register },
		{ method: 'PATCH', path: 'applications/*', endpoint: applicationControls.changeRedirects },
		{ method: 'DELETE', path: 'applications/*', endpoint: applicationControls.remove },
		{ method: 'POST', path: 'applications/*/secret', endpoint: applicationControls.rotateSecret },
		{ method: 'GET', path: 'accounts', endpoint: accountControls.list },
		{ method: 'POST', path: 'accounts', endpoint: accountControls.create },
		{ method: 'DELETE', path: 'accounts/*', endpoint: accountControls.remove }
	];
}

/** Finds the route of a request; a path matches with and without one trailing slash, in one letter case only. */
export function findRoute(routes: readonly Route[], method: string, path: string): Route | undefined {
	const segments = segmentsOf(path);
	return routes.find((route) => (route.method ?? method) === method && matches(patternOf(route), segments));
}

function methodsOf(routes: readonly Route[], path: string): string[] {
	const segments = segmentsOf(path);
	return routes.flatMap((route) =>
		route.method !== undefined && matches(patternOf(route), segments) ? [route.method] : []
	);
}

const patterns = new WeakMap<Route, readonly string[]>();

/** The segments of a route's path, split once. */
function patternOf(route: Route): readonly string[] {
	const known = patterns.get(route);
	if (known !== undefined) return known;
	const pattern = route.path.split('/');
	patterns.set(route, pattern);
	return pattern;
}

function segmentsOf(path: string): string[] {
	return path.replace(/\/$/, '').split('/').slice(1);
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
	for (let at = 0; at < pattern.length; at++) {
		const part = pattern[at];
		if (part === '**') return segments.length > at || pattern.length === 1;
		const segment = segments[at];
		if (segment === undefined || (part === '*' ? segment === '' : decodePercent(segment, false) !== part)) return false;
	}
	return segments.length === pattern.length;
}
