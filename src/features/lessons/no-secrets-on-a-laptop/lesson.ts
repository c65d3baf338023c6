import { notes } from './notes.ts';
import type { Lesson } from '../lesson.ts';
import { comparison, conditions } from './conditions.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
	prediction: {
		question:
			'A thief reads a code on the way to the companion. The secret of the companion is in every copy of the program. The request used PKCE. What does the thief get?',
		shownBy: 'thief_rejected',
		shows: 'body',
		comparison,
		options: [
			{
				text: 'The tokens',
				implies: ['200 OK', '{"access_token":…}'],
				feedback:
					'They were enough without PKCE, in your first theft. With it, the verifier is missing, and it never left the companion.'
			},
			{
				text: 'Nothing, because the verifier is missing',
				implies: ['400 Bad Request', '{"error":"invalid_grant",…}'],
				feedback: 'The service knows the hash of the verifier from the authorization request, and compares.',
				isRight: true
			},
			{
				text: 'Nothing, because the port is wrong',
				implies: ['400 Bad Request', '{"error":"invalid_request",…}'],
				feedback: 'The exchange names the port as text. Anyone who saw the request can send the same text.'
			},
			{
				text: 'An access token, but no refresh token',
				implies: ['200 OK', '{"access_token":…} without a refresh token'],
				feedback: 'An exchange succeeds as a whole or fails as a whole.'
			}
		]
	},
	attempts: 'application',
	conditions,
	explanation:
		'Every copy of a program has the same secret. PKCE gives each sign-in its own: the request carries its hash, the exchange the value. One failed exchange ends the code. Prefer a localhost port to copying codes.',
	sections: ['3.2', 'RFC 7636 §4.6', 'RFC 8252 §8.1', 'RFC 8252 §8.5'],
	help: {
		hint: 'The companion’s own sign-in comes first. Then compare: a stolen code of a request without a challenge, and one of a request with a challenge.',
		call: '{curl} {base_url}/ws/oauth2/token/ -d grant_type=authorization_code -d code=$CODE -d client_id=pocket-companion -d client_secret=companion-secret -d redirect_uri=http://localhost:50123'
	},
	ownClient: {
		steps: [
			'Sign in with the redirect URI `urn:ietf:wg:oauth:2.0:oob`, and exchange the code that the user copied.',
			'Listen on a free port, sign in with `http://localhost:PORT`, and exchange the code. Anyone with the secret could do that.',
			'Sign in with an S256 challenge, and exchange the code without its verifier.',
			'Sign in with a challenge once more, and exchange the code with its verifier.'
		],
		code: `import { createHash, randomBytes } from 'node:crypto';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const query = new URLSearchParams({
	response_type: 'code', client_id, scope: 'character_read', redirect_uri: 'http://localhost:50123',
	code_challenge: challenge, code_challenge_method: 'S256'
});
console.log('{base_url}/ws/oauth2/auth/?' + query);`
	},
	notes
};
