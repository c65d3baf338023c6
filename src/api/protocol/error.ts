import * as v from 'valibot';
import { serviceErrors, type ErrorCode } from '../errors.ts';

const isErrorCode = (name: string): name is ErrorCode => name in serviceErrors;

/** The body of every error (RFC 6749, section 5.2). */
export const error = v.object({
	error: v.picklist(Object.keys(serviceErrors).filter(isErrorCode)),
	error_description: v.string(),
	/** The field of the request body that is wrong, as a path: `limits.character`. Control API only. */
	field: v.optional(v.string())
});

export type ErrorBody = v.InferOutput<typeof error>;
