import type { Guide } from '#api/world/guide.ts';

/** The guided demo of the demo world, and of every world without one. Its texts name no part of a world. */
export const demoGuide: Guide = {
	title: 'What happens when you press Allow',
	steps: [
		{
			title: 'An application asks',
			text: 'This page is an application. It knows the service by HTTP only, and wants to read data that belongs to you. Here you choose what it asks for.',
			path: '/viewer',
			target: 'viewer.permissions',
			notes:
				'Say who takes part: the user, the application, and the service that has the data. Ask the audience where the password should be typed.'
		},
		{
			title: 'The button is a link',
			text: 'It leads to the service. The address says which application asks, for what, and where the response goes. Press it.',
			path: '/viewer',
			target: 'viewer.sign-in',
			press: true,
			notes:
				'Open Request parameters below the button if the audience is technical. The parameter state ties the response to this browser.'
		},
		{
			title: 'The service asks who you are',
			text: 'Look at the top of the page: this is the service, not the application. The password is entered here, so the application never sees it. Press the first account.',
			path: '/ws/oauth2/auth/',
			target: 'sign-in.account',
			press: true,
			notes: 'This page cannot be framed by another site. The accounts are fictional.'
		},
		{
			title: 'You see what you allow',
			text: 'The service names the application, each permission, and the address that it sends you back to. It accepts registered addresses only.',
			path: '/ws/oauth2/auth/',
			target: 'consent.permissions',
			notes: 'Ask what happens with Deny: the application gets access_denied, and no code.'
		},
		{
			title: 'Press Allow',
			text: 'The service creates a code that works once, for ten minutes, and sends the browser back with it. The code alone opens nothing.',
			path: '/ws/oauth2/auth/',
			target: 'consent.allow',
			press: true,
			notes: 'The code travels through the browser, where others may see it. That is why it is not the token.'
		},
		{
			title: 'The code becomes a token',
			text: 'The application has sent the code and its secret to the service, and got an access token. The browser was not part of that request. The log shows each step.',
			path: '/viewer',
			target: 'viewer.log',
			notes: 'Point at the code exchange in the log. Press Checks beside it to see what the service verified.'
		},
		{
			title: 'The token opens the data',
			text: 'Each request carries the token. The response has only the fields that you allowed. Press one of the names.',
			path: '/viewer',
			target: 'viewer.resources',
			press: true,
			notes: 'The rate limit gauge follows the response headers of the same request.'
		},
		{
			title: 'Both ends of each request',
			text: 'The service has recorded all of it: what the application sent, which rules were checked, and why each response is as it is. You can revoke the access at any time.',
			path: '/inspector',
			target: 'inspector.exchanges',
			notes: 'Choose the token request and show its checks. End with the account page, where users revoke access.'
		}
	]
};
