import type { WireResponse } from '#wire/message.ts';
import { originOf } from '../redirect-uris.ts';
import { check, type Check } from '../check.ts';
import type { Context } from '../context.ts';
import type { Application } from '../records.ts';

const exposed =
	'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-ResetTime, X-Request-Id, WWW-Authenticate, Date';

/**
 * Lets scripts on an application's own origin read answers, errors too, and answers their preflight uncounted.
 * An origin is an application's own where one of its redirect URIs is on it. Credentials are never allowed.
 * @param methods that the endpoint takes
 */
export function allowOrigins<C extends Context>(methods: string): Check<C> {
	return check<C>(
		'cors.origin_compared',
		'The origin of a script is compared with registered redirect URIs',
		'RFC 9700 §2.6',
		async (context) => {
			const origin = context.header('origin');
			const preflight = context.request.method === 'OPTIONS';
			if (origin !== undefined && (await registeredOrigins(context)).has(origin)) {
				context.headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed);
				context.note(`${origin} is registered`);
			} else context.note(origin === undefined ? 'No origin' : 'No application registered this origin');
			return preflight ? respondPreflight(context, methods) : undefined;
		}
	);
}

/** Takes the permission back where the origin belongs to another application than the one that turned out to call. */
export function restrictCorsToClient(context: Context, application: Application): void {
	const at = context.headers.indexOf('Access-Control-Allow-Origin');
	if (at >= 0 && !originsOf(application).has(context.headers[at + 1] ?? '')) context.headers.splice(at, 4);
}

async function registeredOrigins(context: Context): Promise<Set<string>> {
	const applications = await context.sandbox.store.list('application');
	return new Set(applications.flatMap(([, application]) => [...originsOf(application)]));
}

function originsOf(application: Application): Set<string> {
	if (application.kind === 'installed') return new Set();
	return new Set(application.redirect_uris.flatMap((uri) => originOf(uri) ?? []));
}

function respondPreflight(context: Context, methods: string): WireResponse {
	return {
		kind: 'response',
		status: 204,
		headers: [
			'Access-Control-Allow-Methods',
			methods,
			'Access-Control-Allow-Headers',
			'Authorization, Content-Type, Accept',
			'Access-Control-Max-Age',
			'600',
			'Allow',
			`${methods}, OPTIONS`,
			'Vary',
			'Accept, Origin',
			...context.headers
		],
		body: ''
	};
}
