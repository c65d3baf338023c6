import { findRoute, type Route } from '../routes.ts';
import { controlOperations } from './control-operations.ts';
import type { Operation } from './operation.ts';
import { protocolOperations } from './protocol-operations.ts';
import { sandboxOperations } from './sandbox-operations.ts';

/** An operation with its place in the route table. */
export type PlacedOperation = Operation & {
	readonly method: string;
	/** With `{name}` for each variable segment. */
	readonly path: string;
	readonly route: Route;
};

/** Every operation of the service. A test fails if a row of the route table has none. */
export const operations: readonly PlacedOperation[] = Object.entries({
	...protocolOperations,
	...sandboxOperations,
	...controlOperations
}).map(([place, operation]) => {
	const [method = '', path = ''] = place.split(' ');
	return { ...operation, method, path, route: findRoute(path, method) };
});
