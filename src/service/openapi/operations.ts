import type { Declaration } from '#api/declare.ts';
import { endpointList, type ServiceEndpoint } from '#api/endpoints.ts';

/** An endpoint as the document describes it. */
export type Operation = Declaration & {
	readonly key: ServiceEndpoint;
	readonly method: string;
	/** With `{name}` for each variable segment. */
	readonly path: string;
	/** Whether it belongs to the control API. */
	readonly isControl: boolean;
};

/** Every operation of the service. */
export const operations: readonly Operation[] = endpointList.map(([key, declaration]) => {
	const [method = '', path = ''] = key.replace('{+', '{').split(' ');
	return { ...declaration, key, method, path, isControl: path.startsWith('/control/') };
});
