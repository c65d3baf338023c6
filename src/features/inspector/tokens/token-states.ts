import type { TokenState } from '../token-tree.ts';
import type { Tone } from '#ui/display/status-tone.ts';

export const tokenStates: Record<TokenState, { readonly label: string; readonly tone: Tone | undefined }> = {
	valid: { label: 'Valid', tone: 'ok' },
	expiring: { label: 'Expires soon', tone: 'caution' },
	expired: { label: 'Expired', tone: undefined },
	used: { label: 'Used', tone: undefined },
	replayed: { label: 'Invalidated by replay', tone: 'error' },
	failed: { label: 'Invalidated by a failed exchange', tone: 'error' },
	revoked: { label: 'Revoked', tone: 'error' },
	ended: { label: 'Ended by a control', tone: 'error' }
};

/** Whether a code or token in this state still works. */
export function isAlive(state: TokenState): boolean {
	return state === 'valid' || state === 'expiring';
}
