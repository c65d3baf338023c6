import type { Stage } from '#client/page/out-of-band.svelte.ts';
import type { Tone } from '../display/status-tone.ts';

/** What is said while a sign-in is under way. */
export type PopupText = { readonly tone: Tone; readonly title: string; readonly why: string };

/** By stage; the others show something else. */
export const popupText: Readonly<Partial<Record<Stage, PopupText>>> = {
	watching: {
		tone: 'info',
		title: 'Waiting for the window',
		why: 'This page reads the title of the window until the code stands there, holds the state in it against its own, and closes it. The code is then exchanged once, together with the secret that PKCE ties it to.'
	},
	exchanging: {
		tone: 'info',
		title: 'Exchanging the code',
		why: 'It is used once, together with the secret that PKCE ties it to, and brings the tokens. Nothing is left to do at the service.'
	},
	blocked: {
		tone: 'caution',
		title: 'The browser did not open a window',
		why: 'It may block them for this page. Allow it and try again, or bring the code by hand.'
	},
	gone: {
		tone: 'caution',
		title: 'The window is closed, or out of reach',
		why: 'Nothing was exchanged. Open another one; if the code still stands in front of you, bring it by hand.'
	},
	'by-hand': {
		tone: 'info',
		title: 'Sign in at the service, then bring the code',
		why: 'The last page there shows it, in its title and in its body.'
	}
};
