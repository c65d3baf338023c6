import { headerValues } from '#api/headers.ts';
import type { WireRequest } from '#api/message.ts';

/** Headers that decide for which address a request counts, and at which host it was sent. */
const forwarded = ['x-forwarded-for', 'x-tollgate-address', 'x-forwarded-host'];

/** The headers with which a request of the control API counts for the address of its caller, at the host of a provider. */
export function forwardedHeaders({ headers }: WireRequest): string[] {
	return forwarded.flatMap((name) => headerValues(headers, name).flatMap((value) => [name, value]));
}
