import type { Kind } from '../world/world.ts';
import type { Context } from './context.ts';
import { pathParameters } from './routes.ts';

type OfRequest = Pick<Context, 'route' | 'path' | 'sandbox'>;

/** The kind of resources that a request is for. Undefined: it is for something else. */
export function findKind({ route, path, sandbox }: OfRequest): Kind | undefined {
	if (route.name !== 'records') return undefined;
	const { record_kind } = pathParameters(path);
	return sandbox.seed.world.kinds.find(({ name }) => name === record_kind);
}

/** The id of the record that a request is for. Undefined: it is for the list. */
export function recordIdOf({ path }: Pick<Context, 'path'>): string | undefined {
	return pathParameters(path).record_id;
}

/** Whether a request for records adds one. */
export function isWrite({ request }: Pick<Context, 'request'>): boolean {
	return request.method === 'POST';
}
