import { check, when } from '../core/check.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import type { FormFields } from '../core/form-fields.ts';

/**
 * Where a client wants to use a token (RFC 8707, section 2). It may name several resources. The tokens of a sandbox work at all of its
 * resources, and a resource elsewhere can ask the introspection endpoint, so any absolute URI is right.
 */
export const resourceCheck = <C extends Context>(
	id: 'auth.resource_is_uri' | 'token.resource_is_uri',
	fieldsOf: (context: C) => FormFields
) =>
	when<C>(
		(context) => context.dialect.metadata && fieldsOf(context).has('resource'),
		[
			check<C>(id, (context) => {
				const resources = fieldsOf(context).values('resource');
				const wrong = resources.findIndex((resource) => resource === undefined || !isResource(resource));
				if (wrong !== -1) {
					throw new ProtocolError('invalid_target', 'resource must be an absolute URI without a fragment.', {
						received: [resources[wrong] ?? '(not percent-encoded UTF-8)'],
						expected: [context.sandbox.base_url]
					});
				}
				context.note(`${resources.join(' ')}: tokens work at all resources of this sandbox`);
			})
		]
	);

function isResource(uri: string): boolean {
	return uri.length <= 2000 && /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(uri) && !uri.includes('#') && URL.canParse(uri);
}
