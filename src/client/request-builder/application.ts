import type { Application } from '#wire/control/applications.ts';
import { characterViewer, pocketCompanion } from '../demo-clients.ts';
import type { ClientRegistration } from '../oauth/client-registration.ts';
import { outOfBandUri } from '../oauth/client-registration.ts';

/** An application that requests are built for. */
export type BuilderApplication = Pick<Application, 'client_id' | 'name' | 'kind' | 'redirect_uris'> & {
	/** Empty where it is not known: only those of the demo applications are public. */
	readonly client_secret: string;
};

/** The applications of a new sandbox. */
export function demoApplications(baseUrl: string): BuilderApplication[] {
	return [
		fromRegistration('Character Viewer', characterViewer(baseUrl)),
		fromRegistration('Pocket Companion', pocketCompanion(outOfBandUri))
	];
}

/** The applications of a sandbox, with the secrets that are public. */
export function withSecrets(applications: readonly Application[], baseUrl: string): BuilderApplication[] {
	const demo = demoApplications(baseUrl);
	return applications.map(({ client_id, name, kind, redirect_uris }) => {
		const client_secret = demo.find((one) => one.client_id === client_id)?.client_secret ?? '';
		return { client_id, name, kind, redirect_uris, client_secret };
	});
}

function fromRegistration(name: string, registration: ClientRegistration): BuilderApplication {
	const { kind, client_id, client_secret, redirect_uri } = registration;
	return { client_id, name, kind, redirect_uris: [redirect_uri], client_secret };
}
