import type { WireResponse } from '#wire/message.ts';
import { originOf } from '../redirect-uris.ts';
import type { Call } from '../context.ts';
import type { Application } from '../records.ts';
import { step, type Step } from '../runner.ts';

const exposed =
	'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-ResetTime, X-Request-Id, WWW-Authenticate, Date';

/**
 * Lets scripts on an application's own origin read answers, errors too, and answers their preflight uncounted.
 * An origin is an application's own where one of its redirect URIs is on it. Credentials are never allowed.
 * @param methods that the endpoint takes
 */
export function allowOrigins<C extends Call>(methods: string): Step<C> {
	return step<C>('a script of another origin is one of ours', 'RFC 9700 §4.15', async (call) => {
		const origin = call.header('origin');
		const preflight = call.request.method === 'OPTIONS';
		if (origin !== undefined && (await registeredOrigins(call)).has(origin)) {
			call.headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed);
			call.saw(`origin ${origin} is registered`);
		} else call.saw(origin === undefined ? 'no origin' : 'an origin that no application registered');
		return preflight ? answerPreflight(call, methods) : undefined;
	});
}

/** Takes the permission back where the origin belongs to another application than the one that turned out to call. */
export function narrowOrigins(call: Call, application: Application): void {
	const at = call.headers.indexOf('Access-Control-Allow-Origin');
	if (at >= 0 && !originsOf(application).has(call.headers[at + 1] ?? '')) call.headers.splice(at, 4);
}

async function registeredOrigins(call: Call): Promise<Set<string>> {
	const applications = await call.sandbox.area.list('application');
	return new Set(applications.flatMap(([, application]) => [...originsOf(application)]));
}

function originsOf(application: Application): Set<string> {
	if (application.kind === 'installed') return new Set();
	return new Set(application.redirect_uris.flatMap((uri) => originOf(uri) ?? []));
}

function answerPreflight(call: Call, methods: string): WireResponse {
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
			...call.headers
		],
		body: ''
	};
}
