import { choiceSettings, numberGroups, switchSettings } from '#api/control/settings.ts';
import { classFields } from './class-fields.ts';
import { standardFields } from './standard-fields.ts';
import { worldFields, type Field } from './world-fields.ts';

/**
 * The fields of the whole API by name. `Schema.name` is the field of one schema, where it differs from others of the same name.
 * A field means the same everywhere, so each description is written once.
 */
const fields: Readonly<Record<string, Field>> = {
	...settingFields(),
	...classFields,
	// OAuth
	response_type: ['Always `code`.'],
	client_id: ['The id of the application.', 'character-viewer'],
	client_secret: ['The secret of the application.', 'viewer-secret'],
	redirect_uri: ['Must match a registered redirect URI exactly.', 'https://localhost:8443/viewer/callback'],
	scope: ['Permissions, separated by spaces.', 'character_read'],
	state: ['Returned unchanged.', 'STATE'],
	access_type: ['`offline` leads to a refresh token.', 'offline'],
	renew_previously_granted: ['`yes` also renews permissions that were granted before.', 'yes'],
	code_challenge: ['PKCE: base64url of SHA-256 of the verifier.', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
	code_challenge_method: ['Always `S256`.'],
	character_name: ['The name of the character.', 'Mara Vell'],
	code_verifier: ['PKCE: the verifier.', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
	grant_type: ['What the client exchanges for tokens.'],
	code: ['The authorization code.', 'CODE'],
	token: ['The refresh token.', 'REFRESH_TOKEN'],
	'TokenForm.token': ['The token.', 'REFRESH_TOKEN'],
	access_token: ['The access token.', 'ACCESS_TOKEN'],
	refresh_token: ['For the first offline exchange of a user only.', 'REFRESH_TOKEN'],
	'RefreshRequest.refresh_token': ['The refresh token of an earlier exchange.', 'REFRESH_TOKEN'],
	expires_in: ['How long the access token is valid, in seconds.', 3920],
	token_type: ['The scheme that resources accept.', 'OAuth'],
	revoked: ['Always `true`.'],
	'RevokedOwnerLinks.revoked': ['How many keys were revoked.', 2],
	error: ['The error code.', 'invalid_request'],
	error_description: ['What happened, why, and what to do next.', 'The field code is missing.'],
	field: ['The field of the body that is wrong, as a path. Control API only.', 'limits.character'],
	interaction: ['The pending authorization, from the page.', 'INTERACTION'],
	csrf_token: ['From the page.', 'CSRF_TOKEN'],
	username: ['The name of the account.', 'player-one'],
	password: ['The password of the account.', 'demo'],
	decision: ['`approve`, `deny`, or `switch` for another account.', 'approve'],
	'TicketDecision.decision': ['`unblock` or `reject`.', 'unblock'],
	action: ['What to do.', 'sign-out'],
	'FormDescription.action': ['Where to send the form.', 'https://localhost:8443/ws/oauth2/auth/'],
	method: ['The method.', 'POST'],
	fields: ['The hidden fields and their values.'],
	step: ['What the user does next.'],
	application: ['The name of the application.', 'Character Viewer'],
	'SignInStep.application': ['The application that asks.'],
	'ConsentStep.application': ['The application that asks.'],
	permissions: ['What the application asks for.'],
	meaning: ['In words.', 'See your characters'],
	granted_before: ['Whether the user granted it before.', false],
	form: ['The form to send.'],
	inputs: ['The fields that the user fills in.'],
	problem: ['Why the last sign-in failed.', 'Incorrect username or password.'],
	location: ['The redirect URI with the response.', 'https://localhost:8443/viewer/callback?error=access_denied'],
	signed_in: ['Whether a user is signed in.'],
	grants: ['What the user gave access to.'],

	...standardFields,

	// Resources
	race: ['The race.', 'Human'],
	class: ['The class.', 'Cartographer'],
	level: ['The level.', 42],
	biography: ['A long text, for one test card only.', 'Long ago …'],
	guild: ['The guild.', 'The Long Road'],
	'Character.name': ['The name.', 'Mara Vell'],
	'Character.location': ['Needs `location_read`.'],
	region: ['The region.', 'Harrow Coast'],
	place: ['The place.', 'East Harbour'],
	inventory: ['Needs `inventory_read`.', ['brass astrolabe']],
	credits: ['Needs `credits_read`.', 18_250],
	pattern: ['The path pattern of the resource.', '/ws/v2.0/character/*'],
	limit: ['Requests per window.', 600],
	remaining: ['Requests that are left in this window.', 599],
	reset: ['When the window resets, in Unix seconds.', 1_795_000_000],
	reset_time: ['The same as a date.', 'Wed, 18 Nov 2026 11:06:40 +0000'],
	version: ['The version of the format.'],
	total: ['How many records there are.', 1],
	ratelimit: ['The records.'],
	ratelimits: ['The rate limits of the address.'],
	'RateLimitStatus.state': ['Whether the address is limited or blacklisted.', 'counting'],
	support: ['Where to file a support ticket.', 'https://localhost:8443/console/support'],

	// Control API: sandboxes, clock, settings
	id: ['The id.', 'k3v9x2q7'],
	name: ['The name.', 'Character Viewer'],
	kind: ['The kind.', 'web'],
	status: ['The status.', 'ok'],
	key: ['Controls the sandbox. Shown once.', 'SANDBOX_KEY'],
	base_url: ['The base URL of the sandbox.', 'https://localhost:8443/~k3v9x2q7'],
	url: ['The link.', 'https://localhost:8443/~k3v9x2q7/controls/sandboxes#owner=OWNER_KEY'],
	is_seat: ['Whether the sandbox is the seat of a class.', false],
	is_strict: ['The setting `strict`.', true],
	is_paused: ['Whether messages of the sandbox are held.', false],
	can_control: ['Whether the caller controls the sandbox.', true],
	has_ca: ['Whether the server created a certificate authority that clients have to trust.', true],
	ca_file: [
		'The path of this authority on the server. Only visitors on the same machine get it, and no seat of a class.',
		'/srv/tollgate/tls/ca.pem'
	],
	class_seats: ['How many seats all classes of the server have. 0: no classes.', 30],
	sandbox_per_visitor: ['Whether the front page gives each visitor a sandbox.', false],
	clock: ['The clock of the sandbox.'],
	now: ['Milliseconds since 1970, by the clock of the sandbox.', 1_795_000_000_000],
	offset: ['How many milliseconds the clock is ahead of the real one.', 0],
	'NewSandbox.world': [
		'Absent: the world of the server. `demo`: the demo world, with the brand of the server, as for lessons.',
		'demo'
	],
	'Preset.offset': ['How many seconds the clock is ahead of the real one.', 3600],
	advance: ['How far to move the clock, in seconds.', 600],
	to: ['Where to move the clock, in Unix seconds.', 1_795_000_600],
	created_at: ['When it was created, in milliseconds since 1970.', 1_795_000_000_000],
	'Ticket.created_at': ['When it was filed, in Unix seconds.', 1_795_000_000],
	last_used_at: ['When it was used last, in milliseconds since 1970.', 1_795_000_000_000],
	sandboxes: ['All sandboxes.'],
	records: ['How many records there are.', 12],
	traffic_entries: ['How many entries the traffic log keeps.', 500],
	'RestoredSnapshot.records': ['How many records were restored, by kind.'],
	max: ['How many there can be.', 300],
	deleted: ['What was deleted.', 'k3v9x2q7'],
	preset: ['The state to begin with.'],
	format: ['The kind of file.'],
	settings: ['The settings.'],
	lifetimes: ['How long credentials are valid.'],
	limits: ['The rate limits, for each address.'],
	...worldFields,
	events: ['The next events.'],
	more: ['How many follow.', 0],
	'UpcomingEvent.kind': ['What will happen.', 'access_token_expires'],
	'UpcomingEvent.at': ['When, in milliseconds since 1970.', 1_795_003_920_000],

	// Control API: faults
	faults: ['The active faults.'],
	'SandboxStatus.world': [
		'Changes when the sandbox gets another world. Absent: it has that of the server.',
		'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg'
	],
	'SandboxStatus.faults': ['How many faults are active.', 0],
	'NewFault.kind': ['What the fault does.', 'status'],
	'Fault.kind': ['What the fault does.', 'status'],
	endpoint: ['The endpoint. Without it, every endpoint.', 'character'],
	'TrafficEntry.endpoint': ['The endpoint, or the name of a page.', 'token'],
	'NewFault.client_id': ['The application. Without it, every application.', 'character-viewer'],
	'Fault.client_id': ['The application. Without it, every application.', 'character-viewer'],
	'NewFault.status': ['For `status`.', 503],
	'Fault.status': ['For `status`.', 503],
	'NewFault.error': ['For `oauth_error`.', 'invalid_grant'],
	'Fault.error': ['For `oauth_error`.', 'invalid_grant'],
	delay_ms: ['For `delay`, in milliseconds.', 1000],
	times: ['How many responses fail. `null`: all until the fault ends.', 1],
	percentage: ['How many of 100 matching requests fail.', 100],
	after_commit: ['`true`: the service does its work first, and only the response fails.', false],
	until: ['When the fault ends, in milliseconds since 1970.', 1_795_003_600_000],

	enabled: ['Whether the setting `test_cards` is on.', true],
	cards: ['The test cards.'],
	'TestCard.kind': ['What the name is.', 'character'],
	'TestCard.name': ['The name of the character or account.', 'Test Slow'],
	outcome: ['What happens.', 'slow'],
	'TraceLine.outcome': ['`responded`: the check produced the response.', 'passed'],
	effect: ['What happens, in a sentence.', 'The response takes five seconds.'],

	// Control API: traffic
	after: ['Only entries behind this one: the number of an entry, or the id of a ticket.', '0'],
	'TrafficQuery.limit': ['How many entries, at most 500.', '100'],
	request_id: ['The `X-Request-Id` of a response.', 'tOHhrmCLEqYqTAEV'],
	entries: ['The entries.'],
	seq: ['The number of the entry.', 42],
	'TrafficEntry.id': ['The `X-Request-Id` of the response.', 'tOHhrmCLEqYqTAEV'],
	at: ['When the request arrived, in milliseconds since 1970, by the clock of the sandbox.', 1_795_000_000_000],
	duration: ['How long it took, in milliseconds.', 1.25],
	request: ['The request.'],
	response: ['The response. `null`: no response.'],
	target: ['Path and query.', '/ws/v2.0/ratelimits'],
	headers: ['Names and values.', [['Accept', 'application/json']]],
	body: ['The body, shortened.', ''],
	'TrafficEntry.status': ['The status.', 200],
	trace: ['The checks, in order.'],
	'TraceLine.cause': ['A stable name of the cause, where a check can fail for several.', 'duplicate_field'],
	found: ['What the request contained.', 'https://client.example/callback/'],
	expected: ['What the check expected.', 'https://client.example/callback'],
	flow: ['The authorization request that the exchange belongs to.', 'k2mJ0s8Vb1aQ'],
	grant: ['The grant that the exchange belongs to.', 'q3G0bM1dTz5mQ8sXn4rVxA'],
	family: ['The code exchange that the token came of.', 'b7Lr2cW9pYk0uTfJ6eNhDg'],
	values: ['The secrets and one-time values, each once.'],
	references: ['Where the texts of the entry contain the values.'],
	pointer: ['The JSON Pointer (RFC 6901) of the text in the entry.', '/request/body'],
	'ValueReference.start': ['Where the value begins in the text, in UTF-16 code units.', 34],
	'ValueReference.end': ['Where it ends.', 41],
	'ValueReference.value': ['The index in `values`.', 0],
	'TrafficValue.label': ['Stable in the sandbox.', 'code 3'],
	preview: ['The first characters. Empty for a short value.', 'GQVJab…'],
	'TrafficValue.form': ['How the state of an authorization request looks.', 'base64url'],
	'TrafficValue.bits': ['How many bits that state has at most, by its length and its alphabet. 256 or less.', '256'],
	'TrafficValue.id': ['A digest of the value. The id of `GET credentials` for a code or token.'],
	'TrafficEntry.credentials': ['What the request did to codes, tokens and grants, in order.'],
	'CredentialEvent.type': ['What happened.', 'issued'],
	from: ['The code or refresh token that it was issued for.'],
	'CredentialEvent.reason': ['Why it ended.', 'exchanged'],
	'TraceLine.id': ['A stable name of the check.', 'token.code_not_used'],
	'TraceLine.name': ['What is checked.', 'The code was not used before'],
	section: ['The section of the specification or RFC that requires the check.', '3.1'],
	detail: ['What the service saw.', ''],
	duration_us: ['Microseconds.', 12],

	// Control API: what a sandbox contains
	address: ['The network address that requests count for.', '203.0.113.7'],
	'ApplicationChange.address': ['The virtual address that its requests count for. `null` removes it.', '192.0.2.1'],
	blacklist: ['The blacklisted addresses.'],
	unblocked: ['The address.', '203.0.113.7'],
	blacklisted: ['Since when and why the address is blacklisted.'],
	since: ['Since when, in Unix seconds.', 1_795_000_000],
	reason: ['Why.', '100 requests to /ws/v2.0/character/* over the limit within one hour'],
	resolution: ['What was changed.', 'The client now waits for the reset.'],
	result: ['The rate limits of the address, attached by the service.', '{}'],
	reply: ['What the owner of the sandbox replied.', 'You are unblocked.'],
	'Ticket.state': ['Whether the ticket is decided.', 'open'],
	can_decide: ['Whether the caller can decide tickets.', true],
	tickets: ['The tickets.'],
	applications: ['The applications.'],
	'CreatedSandbox.applications': ['The applications that the preset added. The secrets are shown once.'],
	redirect_uris: ['The registered redirect URIs.', ['https://localhost:8443/viewer/callback']],
	registered: ['When it was registered, in Unix seconds.', 1_795_000_000],
	'RedirectUriResult.registered': ['The registered URI.', 'https://localhost:8443/viewer/callback'],
	warnings: ['What is allowed but insecure.', []],
	'ApplicationDetails.grants': ['How many users gave it access.', 1],
	codes: ['The codes that are alive.'],
	'ApplicationDetails.codes': ['How many codes are alive.', 0],
	access_tokens: ['The access tokens that are alive.'],
	'ApplicationDetails.access_tokens': ['How many access tokens are alive.', 1],
	refresh_tokens: ['The refresh tokens that are alive.'],
	'ApplicationDetails.refresh_tokens': ['How many refresh tokens are alive.', 1],
	uri: ['The URI to compare.', 'https://localhost:8443/viewer/callback/'],
	matches: ['Whether the URI matches.', false],
	compared: ['Each registered URI, the most similar one first.'],
	difference: ['The first difference.'],
	part: ['The part that differs.', 'trailing_slash'],
	'RedirectUriResult.at': ['Where it is in the tested URI.', 38],
	registered_at: ['Where it is in the registered URI.', 38],
	'RedirectUriResult.reason': ['One sentence.', 'The registered URI has no slash at the end.'],
	accounts: ['The accounts.'],
	'Accounts.grants': ['How many applications have access to the account.', 1],
	sessions: ['How many browsers are signed in.', 0],
	'Preset.characters': ['The names of further characters, without fields.', ['Exam 1']],
	'Preset.accounts': ['The user names of all accounts. Their password is `demo`.', ['player-one']],
	'Credentials.grants': ['The grants.'],
	scopes: ['The permissions.', ['character_read']],
	offline: ['Whether the application has offline access.', true],
	last_used: ['When it was used last, in Unix seconds.', 1_795_000_000],
	expires: ['When it expires, in milliseconds since 1970.', 1_795_003_920_000]
};

/**
 * The description of a field.
 * @param owner the name of the schema; empty for a schema without a name
 */
export function descriptionOf(owner: string, name: string): string | undefined {
	return (fields[`${owner}.${name}`] ?? fields[name])?.[0];
}

/** A value for examples; undefined where the schema says enough. */
export function exampleOf(owner: string, name: string): unknown {
	return (fields[`${owner}.${name}`] ?? fields[name])?.[1];
}

/** For the test that every description is used. */
export const describedFields: readonly string[] = Object.keys(fields);

/** The settings, which are also in snapshots. Other fields have the names of some, so the rows above come later. */
function settingFields(): Record<string, Field> {
	const settings = [...numberGroups.flatMap(({ settings }) => settings), ...switchSettings, ...choiceSettings];
	const rows = settings.flatMap(({ name, description, initial }) =>
		[name, `Settings.${name}`, `SettingsChange.${name}`].map((key): [string, Field] => [key, [description, initial]])
	);
	return Object.fromEntries(rows);
}
