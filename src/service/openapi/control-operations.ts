import * as v from 'valibot';
import * as accounts from '#wire/control/accounts.ts';
import * as applications from '#wire/control/applications.ts';
import * as blacklist from '#wire/control/blacklist.ts';
import * as authorizations from '#wire/control/authorizations.ts';
import * as credentials from '#wire/control/credentials.ts';
import * as tickets from '#wire/control/tickets.ts';
import * as traffic from '#wire/control/traffic.ts';
import type { Operations } from './operation.ts';

const deleted = v.object({ deleted: v.string() });
const noApplication = { 404: 'No application has this `client_id`.' };

/** The traffic log, and what a sandbox contains. */
export const controlOperations: Operations = {
	'GET /control/traffic': {
		tag: 'Traffic log',
		summary: 'Read the log',
		query: traffic.trafficQuery,
		responses: { 200: { description: 'Entries, oldest first.', json: traffic.traffic } },
		errors: { 400: '`after` or `limit` is not a whole number.' }
	},
	'DELETE /control/traffic': {
		tag: 'Traffic log',
		summary: 'Clear the log',
		destroys: true,
		responses: { 200: { description: 'The log is empty.', json: traffic.traffic } }
	},
	'GET /control/traffic/{request_id}': {
		tag: 'Traffic log',
		summary: 'Read one entry',
		responses: { 200: { description: 'The entry with its trace.', json: traffic.trafficEntry } },
		errors: { 404: 'The log has no such entry. It keeps the newest ones only.' }
	},
	'GET /control/traffic/stream': {
		tag: 'Traffic log',
		summary: 'Follow the log',
		description:
			'One event per entry, with the number of the entry as its id. `Last-Event-ID` or `after` resumes. The event `reset` reports a reset or a snapshot.',
		query: v.object({ after: v.optional(v.string()) }),
		responses: { 200: { description: 'The events.', events: true } },
		errors: { 400: '`after` is not a whole number.', 409: 'Too many streams are open.' }
	},
	'GET /control/blacklist': {
		tag: 'Blacklist and tickets',
		summary: 'List blacklisted addresses',
		responses: { 200: { description: 'The blacklist.', json: blacklist.blacklist } }
	},
	'DELETE /control/blacklist/{address}': {
		tag: 'Blacklist and tickets',
		summary: 'Unblock an address',
		description: 'Resets the counters of the address, too.',
		destroys: true,
		responses: { 200: { description: 'The address is unblocked.', json: blacklist.unblocked } },
		errors: { 404: 'The address is not blacklisted.' }
	},
	'GET /control/tickets': {
		tag: 'Blacklist and tickets',
		summary: 'List support tickets',
		description: 'Those of the caller’s address. The owner of the sandbox gets all.',
		query: tickets.ticketsQuery,
		responses: { 200: { description: 'The tickets, open ones first.', json: tickets.tickets } },
		errors: { 403: 'The request was sent by a page of another site.' }
	},
	'POST /control/tickets/{id}': {
		tag: 'Blacklist and tickets',
		summary: 'Decide a ticket',
		body: { schema: tickets.ticketDecision },
		responses: { 200: { description: 'The ticket.', json: tickets.ticket } },
		errors: { 404: 'There is no such ticket.', 409: 'The ticket was already decided.' }
	},
	'GET /control/applications': {
		tag: 'Applications',
		summary: 'List applications',
		responses: { 200: { description: 'All applications, without their secrets.', json: applications.applications } }
	},
	'POST /control/applications': {
		tag: 'Applications',
		summary: 'Register an application',
		description: 'An installed application gets its two redirect URIs (§ 3.2).',
		body: { schema: applications.newApplication },
		responses: {
			201: { description: 'The application. The secret is shown once.', json: applications.registeredApplication }
		},
		errors: { 409: 'The sandbox has too many applications.' }
	},
	'GET /control/applications/{client_id}': {
		tag: 'Applications',
		summary: 'Read an application',
		responses: {
			200: { description: 'The application and what is deleted with it.', json: applications.applicationDetails }
		},
		errors: noApplication
	},
	'PATCH /control/applications/{client_id}': {
		tag: 'Applications',
		summary: 'Change an application',
		body: { schema: applications.applicationChange, example: { name: 'Character Viewer' } },
		responses: { 200: { description: 'The application.', json: applications.application } },
		errors: noApplication
	},
	'DELETE /control/applications/{client_id}': {
		tag: 'Applications',
		summary: 'Delete an application',
		description: 'Revokes all access that users gave it.',
		destroys: true,
		responses: { 200: { description: 'It is deleted.', json: deleted } },
		errors: noApplication
	},
	'POST /control/applications/{client_id}/secret': {
		tag: 'Applications',
		summary: 'Create a new secret',
		description: 'The old secret stops working.',
		destroys: true,
		responses: { 200: { description: 'The new secret, shown once.', json: applications.registeredApplication } },
		errors: noApplication
	},
	'POST /control/applications/{client_id}/redirect-uri-test': {
		tag: 'Applications',
		summary: 'Test a redirect URI',
		description: 'Compares a URI with the registered ones, and names the first difference.',
		body: { schema: applications.redirectUriTest, example: { uri: 'https://localhost:8443/viewer/callback/' } },
		responses: { 200: { description: 'Whether it matches.', json: applications.redirectUriResult } },
		errors: noApplication
	},
	'GET /control/accounts': {
		tag: 'Accounts',
		summary: 'List accounts',
		responses: { 200: { description: 'All user names.', json: accounts.accounts } }
	},
	'POST /control/accounts': {
		tag: 'Accounts',
		summary: 'Create an account',
		body: { schema: accounts.newAccount, example: { username: 'player-four', password: 'demo' } },
		responses: { 201: { description: 'The account.', json: v.object({ username: v.string() }) } },
		errors: { 409: 'The name is taken, or the sandbox has too many accounts.' }
	},
	'DELETE /control/accounts/{username}': {
		tag: 'Accounts',
		summary: 'Delete an account',
		description: 'Revokes its grants and ends its sessions.',
		destroys: true,
		responses: { 200: { description: 'It is deleted.', json: deleted } },
		errors: { 404: 'There is no account with this name.', 409: 'The name is that of a test card.' }
	},
	'POST /control/tickets': {
		tag: 'Blacklist and tickets',
		summary: 'File a ticket',
		description: 'The service attaches the rate limit status of the address (§ 8.8).',
		body: { schema: tickets.newTicket },
		responses: { 201: { description: 'The ticket.', json: tickets.ticket } },
		errors: {
			403: 'The request was sent by a page of another site.',
			409: 'The address has too many open tickets, or is not blacklisted.'
		}
	},
	'POST /control/authorizations': {
		tag: 'Credentials',
		summary: 'Authorize as a user',
		description:
			'Sends an authorization request as the browser of a user, and decides on the consent page. The traffic log has both requests.',
		body: {
			schema: authorizations.newAuthorization,
			example: {
				username: 'player-three',
				query:
					'response_type=code&client_id=character-viewer&redirect_uri=https%3A%2F%2Flocalhost%3A8443%2Fviewer%2Fcallback&scope=character_read&state=s'
			}
		},
		responses: {
			200: { description: 'Where the browser arrived.', json: authorizations.authorizationResult }
		}
	},
	'GET /control/authorization-response': {
		tag: 'Credentials',
		summary: 'Open an uninvited response',
		description:
			'Redirects a browser to a client with the code of another user, as the link of an attacker does. It needs no key and is in the traffic log. A client that compares `state` rejects it.',
		query: authorizations.authorizationResponseLink,
		responses: { 303: { description: 'The client, with the code.', headers: ['Location'] } },
		errors: { 400: 'A parameter is missing, or the application did not register the `redirect_uri`.' }
	},
	'GET /control/credentials': {
		tag: 'Credentials',
		summary: 'List live credentials',
		description: 'The grants of the sandbox with their codes and tokens. An id is a digest, not the credential.',
		responses: { 200: { description: 'The grants, newest first.', json: credentials.credentials } }
	},
	'POST /control/credentials/codes/{id}/replay': {
		tag: 'Credentials',
		summary: 'Replay a code',
		description:
			'Sends the token request of a code again, in place of its client. The tokens that were issued for the code are revoked. The traffic log has the request.',
		responses: { 200: { description: 'What the token endpoint responded.', json: credentials.replayResult } },
		errors: { 404: 'The code is unknown.', 409: 'The code has not been used.' }
	},
	'POST /control/credentials/refresh_tokens/{id}/replay': {
		tag: 'Credentials',
		summary: 'Replay a refresh token',
		description:
			'Sends a refresh request with the token, in place of a client. The token may have been revoked. The traffic log has the request.',
		body: { schema: credentials.replayingClient, example: { client_id: 'character-viewer' } },
		responses: { 200: { description: 'What the token endpoint responded.', json: credentials.replayResult } },
		errors: noApplication
	},
	'DELETE /control/credentials/{kind}/{id}': {
		tag: 'Credentials',
		summary: 'End a credential',
		description: '`kind` is `grants`, `codes`, `access_tokens` or `refresh_tokens`.',
		destroys: true,
		responses: { 200: { description: 'It has ended.', json: deleted } },
		errors: { 404: 'It has already ended, or never existed.' }
	}
};
