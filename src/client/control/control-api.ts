import type { Accounts, NewAccount } from '#wire/control/accounts.ts';
import type {
	Application,
	ApplicationChange,
	ApplicationDetails,
	NewApplication,
	RedirectUriResult,
	RegisteredApplication
} from '#wire/control/applications.ts';
import type { AuthorizationResponseLink, AuthorizationResult, NewAuthorization } from '#wire/control/authorizations.ts';
import type { Blacklist } from '#wire/control/blacklist.ts';
import type { Clock, ClockChange, UpcomingEvents } from '#wire/control/clock.ts';
import type { CredentialKind, Credentials, ReplayResult } from '#wire/control/credentials.ts';
import type { Fault, NewFault } from '#wire/control/faults.ts';
import type {
	CreatedSandbox,
	NewSandbox,
	OwnerLink,
	Preset,
	RestoredSnapshot,
	RevokedOwnerLinks,
	Sandbox,
	Sandboxes,
	SandboxLimits,
	SandboxStatus
} from '#wire/control/sandboxes.ts';
import type { Settings, SettingsChange } from '#wire/control/settings.ts';
import type { TestCards } from '#wire/control/test-cards.ts';
import type { TrafficEntry } from '#wire/control/traffic.ts';
import type { NewTicket, Ticket, TicketDecision, Tickets } from '#wire/control/tickets.ts';
import { sendControlRequest, type ControlRequest } from './send-control-request.ts';

const id = encodeURIComponent;

/** The control API of one sandbox. Every method throws `ControlError`. */
export class ControlApi {
	/**
	 * @param baseUrl of the sandbox, without a trailing slash
	 * @param signal ends requests in progress
	 */
	constructor(
		readonly baseUrl: string,
		readonly signal?: AbortSignal
	) {}

	/** The same API. A signal ends its requests. */
	until(signal: AbortSignal): ControlApi {
		return new ControlApi(this.baseUrl, signal);
	}

	status = () => this.#send<SandboxStatus>('GET', 'status');
	/** Lets this browser control the sandbox. */
	useKey = (key: string) => this.#send<Sandbox>('POST', 'owner', { key });
	/** Revokes the keys of all other browsers but the one that created the sandbox. */
	revokeOwnerLinks = () => this.#send<RevokedOwnerLinks>('DELETE', 'owner-links');
	createOwnerLink = () => this.#send<OwnerLink>('POST', 'owner-links');

	sandbox = () => this.#send<Sandbox>('GET', 'sandbox');
	renameSandbox = (name: string) => this.#send<Sandbox>('PATCH', 'sandbox', { body: { name } });
	resetSandbox = () => this.#send<Sandbox>('POST', 'reset');
	deleteSandbox = () => this.#send<{ deleted: string }>('DELETE', 'sandbox');
	/** At the root sandbox only. */
	createSandbox = (body: NewSandbox) => this.#send<CreatedSandbox>('POST', 'sandboxes', { body });
	/** At the root sandbox only. */
	sandboxes = () => this.#send<Sandboxes>('GET', 'sandboxes');
	/** At the root sandbox only. */
	limitSandbox = (sandbox: string, body: SandboxLimits) =>
		this.#send<Sandbox>('PATCH', `sandboxes/${id(sandbox)}`, { body });
	/** At the root sandbox only. */
	deleteSandboxById = (sandbox: string) => this.#send<{ deleted: string }>('DELETE', `sandboxes/${id(sandbox)}`);
	preset = () => this.#send<Preset>('GET', 'preset');
	snapshot = () => this.#send<unknown>('GET', 'snapshot');
	/** @param body what `snapshot` returned, parsed from a file */
	restoreSnapshot = (body: unknown) => this.#send<RestoredSnapshot>('PUT', 'snapshot', { body });

	clock = () => this.#send<Clock>('GET', 'clock');
	moveClock = (body: ClockChange) => this.#send<Clock>('POST', 'clock', { body });
	/** Returns to the real time. Records that expired stay expired. */
	resetClock = () => this.#send<Clock>('DELETE', 'clock');
	events = () => this.#send<UpcomingEvents>('GET', 'events');
	settings = () => this.#send<Settings>('GET', 'settings');
	changeSettings = (body: SettingsChange) => this.#send<Settings>('PATCH', 'settings', { body });

	faults = () => this.#send<{ faults: Fault[] }>('GET', 'faults');
	addFault = (body: NewFault) => this.#send<Fault>('POST', 'faults', { body });
	deleteFault = (fault: string) => this.#send<{ faults: Fault[] }>('DELETE', `faults/${id(fault)}`);
	deleteFaults = () => this.#send<{ faults: Fault[] }>('DELETE', 'faults');

	applications = () => this.#send<{ applications: Application[] }>('GET', 'applications');
	register = (body: NewApplication) => this.#send<RegisteredApplication>('POST', 'applications', { body });
	application = (client_id: string) => this.#send<ApplicationDetails>('GET', `applications/${id(client_id)}`);
	changeApplication = (client_id: string, body: ApplicationChange) =>
		this.#send<Application>('PATCH', `applications/${id(client_id)}`, { body });
	rotateSecret = (client_id: string) =>
		this.#send<RegisteredApplication>('POST', `applications/${id(client_id)}/secret`);
	deleteApplication = (client_id: string) => this.#send<{ deleted: string }>('DELETE', `applications/${id(client_id)}`);
	testRedirectUri = (client_id: string, uri: string) =>
		this.#send<RedirectUriResult>('POST', `applications/${id(client_id)}/redirect-uri-test`, { body: { uri } });

	accounts = () => this.#send<Accounts>('GET', 'accounts');
	createAccount = (body: NewAccount) => this.#send<{ username: string }>('POST', 'accounts', { body });
	deleteAccount = (username: string) => this.#send<{ deleted: string }>('DELETE', `accounts/${id(username)}`);

	testCards = () => this.#send<TestCards>('GET', 'test-cards');

	/** Sends an authorization request as the browser of a user, who decides at once. */
	authorizeAsUser = (body: NewAuthorization) => this.#send<AuthorizationResult>('POST', 'authorizations', { body });
	/** A link that carries a code to a client, as an attacker sends it. The browser that opens it is redirected. */
	authorizationResponseUrl = (link: AuthorizationResponseLink) =>
		`${this.baseUrl}/control/authorization-response?${new URLSearchParams(link).toString()}`;
	credentials = () => this.#send<Credentials>('GET', 'credentials');
	endCredential = (kind: CredentialKind, credential: string) =>
		this.#send<{ deleted: string }>('DELETE', `credentials/${kind}/${id(credential)}`);
	/** Exchanges a code again that was used. */
	replayCode = (code: string) => this.#send<ReplayResult>('POST', `credentials/codes/${id(code)}/replay`);
	replayRefreshToken = (token: string, client_id: string) =>
		this.#send<ReplayResult>('POST', `credentials/refresh_tokens/${id(token)}/replay`, { body: { client_id } });

	tickets = () => this.#send<Tickets>('GET', 'tickets');
	fileTicket = (body: NewTicket) => this.#send<Ticket>('POST', 'tickets', { body });
	decideTicket = (ticket: string, body: TicketDecision) =>
		this.#send<Ticket>('POST', `tickets/${id(ticket)}`, { body });

	blacklist = () => this.#send<Blacklist>('GET', 'blacklist');
	unblock = (address: string) => this.#send<{ unblocked: string }>('DELETE', `blacklist/${id(address)}`);

	/** @param after only entries with a greater number */
	traffic = (after = 0) => this.#send<{ entries: TrafficEntry[] }>('GET', `traffic?after=${after}&limit=500`);
	trafficEntry = (requestId: string) => this.#send<TrafficEntry>('GET', `traffic/${id(requestId)}`);
	clearTraffic = () => this.#send<{ entries: TrafficEntry[] }>('DELETE', 'traffic');

	#send<T>(method: string, path: string, request: ControlRequest = {}): Promise<T> {
		return sendControlRequest<T>(`${this.baseUrl}/control/${path}`, method, { ...request, signal: this.signal });
	}
}
