import type { Call } from '../call.ts';

/** Whether a browser fetches this ahead, nobody having asked for it yet: nothing may be done for good then. */
export function isPrefetch(call: Call): boolean {
	const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => call.header(name) ?? '');
	return /prefetch|prerender|preview/i.test(purposes.join(' '));
}
