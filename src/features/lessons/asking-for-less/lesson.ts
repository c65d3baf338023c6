import { notes } from './notes.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { authorizationRequestOf, issued, parameter } from '#evidence/exchanges.ts';
import type { Lesson } from '../lesson.ts';
import { conditions } from './conditions.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
	prediction: {
		question:
			'You have granted `character_read`. The next request asks for `location_read` only. What may its token do?',
		shownBy: 'smaller_token',
		shows: 'body scope',
		comparison: {
			columns: ['Step 4', 'Step 6'],
			rows: ({ entries, shown }) => {
				const exchanges = [shown('smaller_token').at(-1), shown('renewed').at(-1)] as const;
				const asked = (name: string, exchange: TrafficEntry | undefined) =>
					exchange && (parameter(authorizationRequestOf(entries, exchange) ?? exchange, name) ?? 'none');
				const scopes = (exchange: TrafficEntry | undefined) =>
					exchange && issued(exchange, 'access_token')?.scopes.join(' ');
				return [
					['Requested scope', asked('scope', exchanges[0]), asked('scope', exchanges[1])],
					['Renewal', asked('renew_previously_granted', exchanges[0]), asked('renew_previously_granted', exchanges[1])],
					['Scope of the token', scopes(exchanges[0]), scopes(exchanges[1])]
				];
			}
		},
		options: [
			{
				text: 'Both, because permissions add up',
				implies: ['200 OK', '{"scope":"character_read location_read",…}'],
				feedback: 'They add up in the grant. The token covers its own request.'
			},
			{
				text: 'Read locations only',
				implies: ['200 OK', '{"scope":"location_read",…}'],
				feedback: 'The grant now lists both. The token lists what was requested this time.',
				isRight: true
			},
			{
				text: 'Nothing, until `character_read` is requested too',
				implies: ['400 Bad Request', '{"error":"invalid_scope",…}'],
				feedback: 'A request does not have to repeat what was granted before.'
			},
			{
				text: 'Both, as long as you are signed in',
				implies: ['200 OK', '{"scope":"character_read location_read",…}'],
				feedback: 'Your session decides whether you see the sign-in page. It gives no permission to a token.'
			}
		]
	},
	attempts: 'application',
	conditions,
	explanation:
		'The grant collects what a user has ever allowed. A token covers one request. Small requests are easier to accept, and a stolen small token does less harm. A request within the grant shows no consent page. To get a token for the whole grant, send renew_previously_granted=yes.',
	sections: ['2.1', '3.1', 'RFC 6749 §3.3'],
	help: {
		hint: 'The consent page appears when a request contains something new. Stay signed in as the same user.',
		call: `{curl} -c cookies '{base_url}/account' -d action=sign-in -d username=player-one -d password=demo
{curl} -b cookies -i -H 'Accept: text/html' '{base_url}/ws/oauth2/auth/?response_type=code&client_id=character-viewer&redirect_uri={base_url}/viewer/callback&scope=character_read&state=s'`
	},
	ownClient: {
		steps: [
			'Request one permission, and send the same request again for the same user.',
			'When a feature needs another permission, request that one alone, and exchange the code.',
			'Send that request once more with `renew_previously_granted=yes`, and exchange the code.'
		],
		code: `for query in scope=character_read scope=character_read scope=location_read \\
  'scope=location_read&renew_previously_granted=yes'; do
  open "{base_url}/ws/oauth2/auth/?response_type=code&client_id=$CLIENT_ID&redirect_uri=$REDIRECT_URI&state=$STATE&$query"
  read -r -p 'Code: ' code
  {curl} '{base_url}/ws/oauth2/token/' -d grant_type=authorization_code -d code="$code" -d client_id="$CLIENT_ID" \\
    -d client_secret="$CLIENT_SECRET" --data-urlencode "redirect_uri=$REDIRECT_URI"
done`
	},
	notes
};
