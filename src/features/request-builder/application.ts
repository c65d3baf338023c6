import type { DialectName } from '#api/dialect.ts';
import type { ApplicationView } from '#api/control/applications.ts';
import type { ClientRegistration } from '#client/oauth/client-registration.ts';
import { companionRegistration, viewerRegistration, type World } from '#client/world.ts';
import { type ControlApi, ControlError } from '#client/control-api/control-api.ts';
import { readProviderRequests } from './provider-requests.ts';
import type { BuilderProvider } from './request-kinds.ts';

/** An application that requests are built for. */
export type BuilderApplication = Pick<ApplicationView, 'client_id' | 'name' | 'kind' | 'redirect_uris'> & {
	/** Empty where it is not known: only those of the demo applications are public. */
	readonly client_secret: string;
	/** Whether it has registered keys, so that it signs assertions in place of its secret. Absent: no. */
	readonly hasKeys?: boolean;
};

/** The applications of the demo clients. */
export function worldApplications(world: World, baseUrl: string): BuilderApplication[] {
	const viewer = fromRegistration(world.viewer.name, viewerRegistration(world, baseUrl));
	const { companion } = world;
	return companion === undefined ? [viewer] : [viewer, fromRegistration(companion.name, companionRegistration(world))];
}

/**
 * The applications of a sandbox, with the secrets that are public.
 * @param demo the applications of the demo clients
 */
function withSecrets(
	applications: readonly ApplicationView[],
	demo: readonly BuilderApplication[]
): BuilderApplication[] {
	return applications.map(({ client_id, name, kind, redirect_uris, jwks }) => {
		const client_secret = demo.find((one) => one.client_id === client_id)?.client_secret ?? '';
		return { client_id, name, kind, redirect_uris, client_secret, hasKeys: jwks !== undefined };
	});
}

function fromRegistration(name: string, registration: ClientRegistration): BuilderApplication {
	const { kind, client_id, client_secret, redirect_uri } = registration;
	return { client_id, name, kind, redirect_uris: [redirect_uri], client_secret };
}

export type BuilderSandbox = {
	/** At least one. */
	readonly applications: readonly BuilderApplication[];
	/** False: the sandbox also accepts `Bearer` and HTTP Basic. */
	readonly isStrict: boolean;
	/** Whether DPoP proofs need a nonce. */
	readonly usesNonce?: boolean;
	readonly dialect: DialectName;
	/** Where it speaks like a simulated provider. */
	readonly provider?: BuilderProvider | undefined;
};

/** Reads the applications and the settings. A visitor who does not control the sandbox gets those of the demo clients. */
export async function readSandbox(api: ControlApi, world: World): Promise<BuilderSandbox> {
	const ofVisitors = { applications: worldApplications(world, api.baseUrl), isStrict: true } as const;
	try {
		const { can_control, dialect, provider: name } = await api.request('GET /control/status');
		const spoken = { dialect, provider: await readProviderRequests(name, api) };
		// A rejected read would be in the log of the owner.
		if (!can_control) return { ...ofVisitors, ...spoken };
		const [{ applications }, { strict, dpop_nonce }] = await Promise.all([
			api.request('GET /control/applications'),
			api.request('GET /control/settings')
		]);
		if (applications.length === 0) return { ...ofVisitors, ...spoken };
		const described = dialect === 'standard' ? await readDescribed(api) : [];
		const registered = applications.filter(({ client_id }) => described.every((one) => one.client_id !== client_id));
		return {
			applications: [...withSecrets(registered, ofVisitors.applications), ...described],
			isStrict: strict,
			usesNonce: dpop_nonce,
			...spoken
		};
	} catch (thrown) {
		if (!(thrown instanceof ControlError)) throw thrown;
		return { ...ofVisitors, dialect: 'specification' };
	}
}

/** The clients that documents of the sandbox describe, also wrongly: the request then shows the mistake. */
async function readDescribed(api: ControlApi): Promise<BuilderApplication[]> {
	const { client_documents } = await api.request('GET /control/client-documents');
	return client_documents.map(({ name, client_id, text }) => {
		const uris = [...text.matchAll(/"(https?:\/\/[^"\\]+)"/g)].flatMap(([, uri = '']) =>
			uri === client_id ? [] : uri
		);
		return { client_id, name: `Document ${name}`, kind: 'installed', redirect_uris: uris, client_secret: '' };
	});
}
