import { check, whenStandard } from '../core/runner.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import type { FormFields } from '../core/form-fields.ts';

/** How many resources a request may name. */
const maxResources = 10;

/**
 * Where a client wants to use a token (RFC 8707, section 2). It may name several resources, also elsewhere: a resource can ask the
 * introspection endpoint.
 * @param keep remembers the resources of a valid request
 */
export const resourceCheck = <C extends Context>(
	id: 'auth.resource_is_uri' | 'token.resource_is_uri',
	fieldsOf: (context: C) => FormFields,
	keep: (context: C, resources: readonly string[]) => void
) =>
	whenStandard<C>(
		(context) => fieldsOf(context).has('resource'),
		[
			check<C>(id, (context) => {
				const sent = fieldsOf(context).values('resource');
				const resources = sent.flatMap((resource) => (resource !== undefined && isResource(resource) ? resource : []));
				if (resources.length < sent.length || sent.length > maxResources) {
					const wrong = sent.find((resource) => resource === undefined || !isResource(resource));
					const description =
						sent.length > maxResources
							? `A request can name at most ${maxResources} resources.`
							: 'resource must be an absolute URI without a fragment.';
					throw new ProtocolError('invalid_target', description, {
						received: [
							sent.length > maxResources ? `${sent.length} resources` : (wrong ?? '(not percent-encoded UTF-8)')
						],
						expected: [context.sandbox.base_url]
					});
				}
				if (resources.length > 0) keep(context, [...new Set(resources)]);
				context.note(resources.join(' '));
			})
		]
	);

/** A token request, and the resources of its code or refresh token. */
type BoundRequest = Context & {
	resources: readonly string[] | undefined;
	readonly grantedResources: readonly string[] | undefined;
};

/**
 * A token request names no resource that the authorization request did not name (RFC 8707, section 2.2). Without any, the token is for
 * all that were named.
 */
export const grantedResourceCheck = whenStandard<BoundRequest>(
	({ resources, grantedResources }) => (resources ?? grantedResources) !== undefined,
	[
		check('token.resource_granted', (context) => {
			const { grantedResources: granted, resources = granted ?? [] } = context;
			const other = granted && resources.find((resource) => !granted.includes(resource));
			if (other !== undefined)
				throw new ProtocolError('invalid_target', 'resource is none of those of the authorization request.', {
					received: [other],
					expected: granted ?? []
				});
			context.resources = resources;
			context.compare(resources.join(' '), granted ?? ['any resource']);
		})
	]
);

/** What a token is bound to, to store with it: its resources, and the thumbprint of a key. Absent: it works everywhere, for all holders. */
export function boundTo({
	resources,
	jkt
}: {
	readonly resources?: readonly string[] | undefined;
	readonly jkt?: string | undefined;
}): { readonly resources?: readonly string[]; readonly jkt?: string } {
	return { ...(resources !== undefined && { resources }), ...(jkt !== undefined && { jkt }) };
}

/**
 * Whether a token for some resources works at a URL: one of them is the URL, or a place above it. Compared as text.
 * @param url without a query
 */
export function isFor(resources: readonly string[], url: string): boolean {
	return resources.some((resource) => `${url}/`.startsWith(resource.endsWith('/') ? resource : `${resource}/`));
}

/** Whether a text is an absolute URI without a fragment. */
export function isResource(uri: string): boolean {
	return uri.length <= 2000 && /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(uri) && !uri.includes('#') && URL.canParse(uri);
}
