import { clockChange, type Clock } from '#wire/control/clock.ts';
import type { Context } from '../context.ts';
import { ProtocolError } from '../errors.ts';
import { maxTimestamp } from '../time.ts';
import { protectedEndpoint } from './control-endpoint.ts';

/** `GET clock`: the time of the sandbox, and how far it is ahead. */
export const readClock = protectedEndpoint((context) => clockOf(context));

/** `POST clock`: moves the clock forward, by seconds or to an instant. A past instant is `invalid_request`. */
export const moveClock = protectedEndpoint(async (context) => {
	const change = context.read(clockChange);
	const real = context.now() - context.sandbox.state.offset;
	const state = await context.sandbox.updateState((now) => {
		const offset = 'advance' in change ? now.offset + change.advance * 1000 : change.to * 1000 - real;
		// A clock that has reached the latest instant goes on by itself.
		return { ...now, offset: Math.max(now.offset, Math.min(offset, maxTimestamp - real)) };
	});
	if ('to' in change && Math.floor((real + state.offset) / 1000) > change.to) {
		throw new ProtocolError('invalid_request', 'The clock only moves forward, and this instant is in the past.', {
			field: 'to'
		});
	}
	return clockOf(context);
});

/** `DELETE clock`: returns to the real time. Records that expired stay expired, and the others keep the time they have left. */
export const resetClock = protectedEndpoint(async (context) => {
	await context.sandbox.returnToRealTime();
	return clockOf(context);
});

function clockOf(context: Context): Clock {
	return { now: context.now(), offset: context.sandbox.state.offset };
}
