import { headerValues } from '#api/headers.ts';
import type { WireRequest } from '#api/message.ts';

/** Headers that decide for which address a request counts. */
const addressHeaders = ['x-forwarded-for', 'x-tollgate-address'];

/** The headers with which a request of the control API counts for the address of its caller. */
export function forwardedHeaders({ headers }: WireRequest): string[] {
	return addressHeaders.flatMap((name) => headerValues(headers, name).flatMap((value) => [name, value]));
}
