import { clockApi, maxTimestamp, type Clock } from '#api/control/clock.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { implement } from './control-endpoint.ts';
import { listUpcomingEvents } from './events.ts';

/** The sandbox clock, and what happens by it. */
export const clockEndpoints = implement(clockApi, {
	'GET /control/clock': (context) => clockOf(context),
	'POST /control/clock': async (context, { body }) => {
		const real = context.now() - context.sandbox.state.offset;
		const state = await context.sandbox.updateState((now) => {
			const offset = 'advance' in body ? now.offset + body.advance * 1000 : body.to * 1000 - real;
			// A clock that has reached the latest instant runs on.
			return { ...now, offset: Math.max(now.offset, Math.min(offset, maxTimestamp - real)) };
		});
		if ('to' in body && Math.floor((real + state.offset) / 1000) > body.to) {
			throw new ProtocolError('invalid_request', 'The clock only moves forward, and this instant is in the past.', {
				field: 'to'
			});
		}
		return clockOf(context);
	},
	// Records that expired stay expired, and the others keep the time they have left.
	'DELETE /control/clock': async (context) => {
		await context.sandbox.returnToRealTime();
		return clockOf(context);
	},
	'GET /control/events': listUpcomingEvents
});

function clockOf(context: Context): Clock {
	return { now: context.now(), offset: context.sandbox.state.offset };
}
