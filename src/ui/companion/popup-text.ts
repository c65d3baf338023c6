import type { OobStage } from '#client/viewer/oob-sign-in.svelte.ts';
import type { Tone } from '../display/status-tone.ts';

/** Notice for a stage of the sign-in. */
export type PopupText = { readonly tone: Tone; readonly title: string; readonly why: string };

/** Notices by stage. The other stages have none. */
export const popupText: Readonly<Partial<Record<OobStage, PopupText>>> = {
	watching: {
		tone: 'info',
		title: 'Waiting for the sign-in window',
		why: 'This page waits for the code in the window title, checks the state, and closes the window. Then it exchanges the code once, with its PKCE verifier.'
	},
	exchanging: {
		tone: 'info',
		title: 'Exchanging the code',
		why: 'The code is exchanged once, with the PKCE verifier. You do not have to do anything else on Tollgate.'
	},
	blocked: {
		tone: 'caution',
		title: 'The browser blocked the window',
		why: 'Allow popups for this page and try again, or enter the code manually.'
	},
	closed: {
		tone: 'caution',
		title: 'The sign-in window was closed',
		why: 'No code was exchanged. Reopen the window, or enter the code manually if you still have it.'
	},
	manual: {
		tone: 'info',
		title: 'Sign in with Tollgate, then enter the code',
		why: 'The last page shows the code.'
	}
};
