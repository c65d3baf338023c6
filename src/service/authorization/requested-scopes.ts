import type { Dialect } from '#api/dialect.ts';
import type { Permission } from '#api/control/world.ts';
import { identityScopes, openidScope } from '#api/identity-scopes.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { parseScope, scopeSet } from '../core/form-fields.ts';
import { permissionsOf, readingPermissions } from '../sandbox/permissions.ts';

/** A scope that the user need not allow: the consent page says that access is offline (OpenID Connect Core 1.0, section 11). */
const offlineScope = 'offline_access';

/**
 * The scopes that a client asks for, for the trace as well.
 * @param sent the parameter `scope`; undefined where it was not sent
 * @throws ProtocolError `invalid_request`, `invalid_scope`
 */
export async function requestedScopes(context: Context, sent: string | undefined): Promise<readonly string[]> {
	if (context.dialect.scopes !== undefined) return scopesOfProvider(context, context.dialect.scopes, sent);
	const permissions = await permissionsOf(context);
	const scope = sent ?? defaultScope(context, permissions);
	if (scope === undefined)
		throw new ProtocolError('invalid_request', 'The parameter scope is missing. List the scopes that you need.', {
			cause: 'missing_parameter'
		});
	const all = parseScope(scope);
	const scopes = [
		...permissions.map((permission) => permission.scope),
		...(context.dialect.metadata ? identityScopes.keys() : [])
	];
	const isKnown = (name: string) => scopes.includes(name);
	const ignored = all === undefined ? [] : ignoredScopes(context, all, isKnown);
	const kept = all?.filter((name) => !ignored.includes(name));
	// A request for offline_access alone names no permission.
	const requested = kept?.length === 0 ? parseScope(defaultScope(context, permissions) ?? '') : kept;
	if (requested === undefined || !requested.every(isKnown)) {
		const known = scopes.join(' ');
		const cause = requested === undefined ? 'malformed_scope' : 'unknown_scope';
		const details = { cause, received: [scope], expected: [known] } as const;
		throw new ProtocolError('invalid_scope', `scope contains an unknown scope. Known scopes: ${known}.`, details);
	}
	context.compare(scope, [scopes.join(' ')]);
	if (ignored.length > 0) context.note(`Ignored: ${ignored.join(' ')}`);
	return requested;
}

/** The names in a scope that a provider separates by spaces, commas, or both. */
export function splitScopes(scope: string): readonly string[] {
	return scopeSet(scope.split(/[ ,]+/).filter((name) => name !== ''));
}

/** The scopes of a provider are those of its file. */
function scopesOfProvider(
	context: Context,
	{ known, always = [], initial = [], unknown }: NonNullable<Dialect['scopes']>,
	sent: string | undefined
): readonly string[] {
	const asked = scopeSet([...always, ...(sent === undefined ? initial : splitScopes(sent))]);
	const isKnown = (name: string) =>
		known.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
	const others = asked.filter((name) => !isKnown(name));
	if (others.length > 0 && unknown === 'rejected')
		throw new ProtocolError('invalid_scope', `scope contains an unknown scope. Known scopes: ${known.join(' ')}.`, {
			cause: 'unknown_scope',
			received: [sent ?? ''],
			expected: [known.join(' ')]
		});
	context.compare(sent ?? '(not sent)', [known.join(' ')]);
	if (others.length > 0) context.note(`Ignored: ${others.join(' ')}`);
	return asked.filter(isKnown);
}

/**
 * Scopes that have no effect. Requests for an ID token may have unknown ones (OpenID Connect Core 1.0, section 3.1.2.1). All may have
 * `offline_access`: every exchange returns a refresh token.
 */
function ignoredScopes({ dialect }: Context, all: readonly string[], isKnown: (name: string) => boolean): string[] {
	if (!dialect.metadata) return [];
	return all.filter((name) => !isKnown(name) && (name === offlineScope || all.includes(openidScope)));
}

/** What a request without `scope` asks for; undefined where it must name the scopes. */
function defaultScope({ dialect }: Context, permissions: readonly Permission[]): string | undefined {
	return dialect.scope === 'default' ? (readingPermissions(permissions)[0] ?? permissions[0])?.scope : undefined;
}
