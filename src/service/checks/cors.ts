import type { Dialect } from '#api/dialect.ts';
import { type WireResponse } from '#api/message.ts';
import { check, type Check } from '../core/runner.ts';
import type { Context } from '../core/context.ts';
import type { Application } from '../sandbox/records.ts';
import { originOf, receivesCodes } from '../sandbox/redirect-uris.ts';

const exposed =
	'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-ResetTime, X-Request-Id, WWW-Authenticate, Date, X-Tollgate-Address';

/** Those of lists and new records. */
const exposedOfRecords = ', Link, Location';

/** Those of the dialect of today's standards. */
const exposedFields = ', RateLimit, RateLimit-Policy, Retry-After, DPoP-Nonce';

/**
 * Lets scripts on the origin of a registered redirect URI read responses, also errors. Responds to preflights, which are not counted.
 * Credentials are never allowed.
 * @param methods of the endpoint, in a dialect
 * @param headers more headers that requests may have, each after a comma
 */
export function allowOrigins<C extends Context>(
	methods: string | ((dialect: Dialect) => string),
	headers = ''
): Check<C> {
	return check<C>('cors.origin_compared', (context) => {
		const origin = context.header('origin');
		const allowed = typeof methods === 'string' ? methods : methods(context.dialect);
		const preflight = context.request.method === 'OPTIONS' ? respondPreflight(context, allowed, headers) : undefined;
		if (origin !== undefined) return compareOrigin(context, origin).then(() => preflight);
		context.note('No origin');
		return preflight;
	});
}

/** Lets all scripts read responses, for what every client may read. Responds to preflights. */
export function allowAllOrigins<C extends Context>(method: string): Check<C> {
	return check<C>('cors.origin_compared', (context) => {
		context.corsOrigin = '*';
		context.note('All origins may read this');
		return context.request.method === 'OPTIONS'
			? respondPreflight(context, method, ', MCP-Protocol-Version')
			: undefined;
	});
}

/** Withdraws the permission of an origin that belongs to another application than the authenticated one. */
export function restrictCorsToClient(context: Context, application: Application): void {
	const { corsOrigin, dialect } = context;
	if (corsOrigin !== undefined && !ownsOrigin(application, corsOrigin, dialect)) context.corsOrigin = undefined;
}

/** The CORS headers of a response, flat; empty where no origin is allowed. */
export function corsHeaders({ corsOrigin, dialect, route }: Context): string[] {
	if (corsOrigin === undefined) return [];
	return [
		'Access-Control-Allow-Origin',
		corsOrigin,
		'Access-Control-Expose-Headers',
		exposed + (dialect.limit.fields ? exposedFields : '') + (route.name === 'records' ? exposedOfRecords : '')
	];
}

async function compareOrigin(context: Context, origin: string): Promise<void> {
	const applications = (await context.store.list('application')).map(([, application]) => application);
	const isRegistered = applications.some((application) => ownsOrigin(application, origin, context.dialect));
	if (isRegistered) context.corsOrigin = origin;
	context.note(isRegistered ? `${origin} is registered` : 'No application registered this origin');
	const registered = applications.flatMap((application) => originsOf(application, context.dialect));
	context.compare(origin, [...new Set(registered)]);
}

/** Whether the service sends codes of an application to pages of an origin. */
function ownsOrigin(application: Application, origin: string, dialect: Dialect): boolean {
	return originsOf(application, dialect).some((own) => receivesCodes(application.kind, own, origin));
}

/** The origins of the redirect URIs. Clients in a browser have no secret: they are installed applications of today's standards. */
function originsOf({ kind, redirect_uris }: Application, { loopback }: Dialect): string[] {
	return kind === 'installed' && loopback !== 'any' ? [] : redirect_uris.flatMap((uri) => originOf(uri) ?? []);
}

function respondPreflight({ dialect }: Context, methods: string, headers = ''): WireResponse {
	// Scripts need no permission for HEAD.
	const supported = dialect.metadata ? methods.replace('GET', 'GET, HEAD') : methods;
	return {
		kind: 'response',
		status: 204,
		headers: [
			'Access-Control-Allow-Methods',
			methods,
			'Access-Control-Allow-Headers',
			`Authorization, Content-Type, Accept, X-Tollgate-Address${dialect.metadata ? ', DPoP' : ''}${headers}`,
			'Access-Control-Max-Age',
			'600',
			'Allow',
			`${supported}, OPTIONS`,
			'Vary',
			'Accept, Origin'
		],
		body: ''
	};
}
