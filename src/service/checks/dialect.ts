import { check } from '../core/runner.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';

/** Rejects a request for what only the dialect of today's standards has. */
export const requireMetadata = check<Context>('service.path_known', (context) => {
	if (context.dialect.metadata) return;
	throw new ProtocolError(
		'not_found',
		`The specification has nothing at this path. Choose another dialect: ${context.sandbox.base_url}/providers`,
		{ cause: 'other_dialect' }
	);
});
