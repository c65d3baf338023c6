import { ProtocolError } from '../core/errors.ts';
import type { ClassRecord } from '../sandbox/class-records.ts';

/** The error for a code that no open class has. */
export function unknownClass(): ProtocolError {
	return new ProtocolError('not_found', 'No class has this code, or it has ended. Check the code.');
}

/** The error for a class at a service without classes. */
export function classesOff(): ProtocolError {
	return limitReached(
		'This server has no seats for classes. Start a server with CLASS_SEATS, for example CLASS_SEATS=30 npm start.'
	);
}

/** The error for a class without a free seat. */
export function classIsFull({ seats }: ClassRecord): ProtocolError {
	return limitReached(`All ${seats} seats of this class are taken. Ask your instructor for another code.`);
}

/** The error for a class that would be too many. */
export function limitReached(description: string, field?: string): ProtocolError {
	return new ProtocolError('limit_reached', description, { field });
}
