import type { Context } from '../core/context.ts';

/** How long a nonce is the newest one, in milliseconds of the sandbox clock. The one before still works. */
const period = 300_000;

/** How long a nonce works at most, in milliseconds of the sandbox clock. */
export const nonceLifetime = 2 * period;

/** The nonce that proofs need now (RFC 9449, section 8). It is not stored: the secret of the sandbox and the clock lead to it. */
export function currentNonce(context: Context): string {
	return nonceOf(context, Math.floor(context.now() / period));
}

/** Whether a nonce is the newest one or the one before. */
export function isCurrentNonce(context: Context, nonce: string | undefined): boolean {
	const now = Math.floor(context.now() / period);
	return nonce === nonceOf(context, now) || nonce === nonceOf(context, now - 1);
}

function nonceOf({ options, sandbox }: Context, at: number): string {
	return options.digest(`dpop ${sandbox.valueKey} ${at}`).slice(0, 22);
}
