import { allowOrigins } from '../checks/cors.ts';
import { check } from '../core/check.ts';
import type { Context } from '../core/context.ts';
import { requireMethod } from '../core/responses.ts';

/** Lets scripts of registered origins send a revocation by the method of the dialect. */
export const allowRevocation = allowOrigins<Context>(({ revocation }) => revocation);

/** A sandbox revokes by GET or by POST. The other method gets 405. */
export const checkRevocationMethod = check<Context>('revoke.method_is_get', (context) =>
	requireMethod(context, context.dialect.revocation)
);
