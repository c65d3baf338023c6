import type { Row } from './explanations.ts';

/** What the client itself can find, by codes of its own. */
export const wordsOfClient = new Map<string, Row>([
	// The client's own findings: the callback.
	[
		'state_missing',
		[
			'The answer carries no state',
			'Every sign-in of this application sends a state. An answer without one was not asked for by it.',
			'Nothing was exchanged. Start the sign-in here.',
			'2.1',
			'sign-in'
		]
	],
	[
		'state_unknown',
		[
			'This browser did not start that sign-in',
			'The state is not one that was made here. It may be forged, or older than ten minutes, or from another browser.',
			'Nothing was exchanged. Start the sign-in here.',
			'2.1',
			'sign-in'
		]
	],
	[
		'state_used',
		[
			'This sign-in is already over',
			'A state works once. The address was opened a second time, by Back, reload or a copied link.',
			'Nothing was exchanged again. Go on in the viewer.',
			'2.1',
			'none'
		]
	],
	[
		'state_elsewhere',
		[
			'That sign-in was started in another tab',
			'A state belongs to the tab that made it.',
			'Nothing was exchanged. Finish in that tab, or start again here.',
			'2.1',
			'sign-in'
		]
	],
	[
		'service_mixed_up',
		[
			'The answer comes from another service',
			'The sign-in was started at a different service than the one this address belongs to.',
			'Nothing was exchanged, so no code went to the wrong place. Start again here.',
			'2.1',
			'sign-in'
		]
	],
	[
		'answer_ambiguous',
		[
			'The answer contradicts itself',
			'It has a field twice, or a code together with an error.',
			'Nothing was exchanged. Start again.',
			'2.2',
			'sign-in'
		]
	],
	[
		'answer_empty',
		[
			'The answer has neither code nor error',
			'The service sends one of them.',
			'Nothing was exchanged. Start again.',
			'2.2',
			'sign-in'
		]
	],
	[
		'unbound_code',
		[
			'Nothing ties that code to this sign-in',
			'A code typed by hand comes without state, and this sign-in was started without PKCE.',
			'Nothing was exchanged. Start again, with PKCE.',
			'2.2',
			'sign-in'
		]
	],
	[
		'exchange_unknown',
		[
			'Nobody knows whether the code was used',
			'The exchange was sent and no answer came. A code works once, and sending it again could end the tokens of the first exchange.',
			'Sign in again: that is the safe way.',
			'3.1',
			'sign-in'
		]
	],
	[
		'exchange_interrupted',
		[
			'The page was left in the middle of the exchange',
			'The code was on its way when this page was closed or reloaded. It is not sent twice.',
			'Sign in again.',
			'3.1',
			'sign-in'
		]
	],
	// The client's own findings: sessions.
	[
		'signed_out',
		['Nobody is signed in', 'This session was ended here or in another tab.', 'Sign in.', '3.1', 'sign-in']
	],
	[
		'session_expired',
		[
			'Please sign in again',
			'Access was granted while you are present, and that time is over. There is no refresh token.',
			'Sign in again, or ask for offline access.',
			'1',
			'sign-in'
		]
	],
	[
		'access_revoked',
		[
			'The access was taken away',
			'The service refused the refresh token: the access was revoked in the account settings or by another sign-out.',
			'The application forgot its tokens. Sign in again to give access anew.',
			'3.1',
			'sign-in'
		]
	],
	[
		'refused_again',
		[
			'A new token was refused too',
			'The service gave a new access token and then refused it.',
			'The application stops here instead of trying for ever. Sign in again.',
			'5',
			'sign-in'
		]
	],
	[
		'renewal_later',
		[
			'The token could not be renewed just now',
			'The refresh brought no answer, or one that tells of a fault. The refresh token is kept.',
			'The application tries again by itself, a little later each time.',
			'3.1',
			'wait'
		]
	],
	// The client's own findings: the wire.
	[
		'silence',
		[
			'No answer at all',
			'The connection was closed without a byte, or nothing came in time. A blacklisted client gets exactly this.',
			'The application stops calling and asks /ratelimiting how it stands.',
			'7',
			'support'
		]
	],
	[
		'holding',
		[
			'The application is holding its calls',
			'The service fell silent, so nothing more is sent until /ratelimiting says that all is well.',
			'If you were blacklisted: file a support ticket.',
			'8.5',
			'support'
		]
	],
	[
		'unreadable',
		[
			'The answer makes no sense',
			'It is not the JSON or XML that the specification describes.',
			'Look at the answer in the log.',
			'2.4',
			'retry'
		]
	],
	[
		'insecure_page',
		[
			'This page was not opened securely',
			'State and PKCE are made with what a browser gives to pages by https, or on localhost, alone.',
			'Open the same page by https, or at localhost.',
			'4',
			'none'
		]
	],
	['stopped', ['Stopped', 'You stopped it.', 'Nothing to do.', '8', 'none']],
	[
		'client_fault',
		['The page has a fault', 'Something broke in this page, not at the service.', 'Reload the page.', '7', 'none']
	]
]);
