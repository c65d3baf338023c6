import type { DialectName } from '#api/dialect.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { shownSecrets } from '#client/control-api/shown-secrets.svelte.ts';
import { viewerRegistration, type World } from '#client/world.ts';
import { createExamSandbox, userName, type ExamProvider } from '#exam/sandbox.ts';
import type { MySandboxes } from '../shell/my-sandboxes.svelte.ts';
import { signInAtService } from './sign-in-at-service.ts';
import type { ClientKind, ClientUrls, StoredExam } from './stored-exam.ts';

/** What the user says about the client. */
export type ExamForm = {
	readonly kind: ClientKind;
	readonly dialect: DialectName;
	/** A simulated provider, which extends `standard`. */
	readonly provider: ExamProvider | undefined;
	readonly redirect_uri: string;
	readonly urls: ClientUrls;
};

/** The redirect URI of an installed application (section 3.2). */
const anyPort = 'http://localhost';
/** How far a seed can be. The order of the probes follows from it. */
const seeds = 10_000;

/**
 * Creates the sandbox of an exam, which this browser then controls. The secret of the client is shown once.
 * @throws ControlError
 */
export async function newExam(
	{ kind, dialect, provider, redirect_uri, urls }: ExamForm,
	{ root, mySandboxes, world }: { root: ControlApi; mySandboxes: MySandboxes; world: World }
): Promise<StoredExam> {
	const isViewer = kind === 'viewer';
	const sandbox = await createExamSandbox({
		rootUrl: root.baseUrl,
		kind: kind === 'installed' ? 'installed' : 'web',
		dialect,
		provider,
		// The demo client does not use the application of the exam, but a web application needs a redirect URI.
		...(kind === 'installed' ? {} : { redirectUris: [isViewer ? '{base_url}/viewer/callback' : redirect_uri] })
	});
	const { baseUrl: base_url } = sandbox.api;
	await signInAtService(base_url, userName(0));
	const viewer = viewerRegistration(world, base_url);
	const client_id = isViewer ? viewer.client_id : sandbox.client_id;
	mySandboxes.remember({ id: base_url.split('/~').at(-1) ?? '', name: 'Exam', base_url });
	shownSecrets.keep(base_url, sandbox.client_id, sandbox.client_secret);
	return {
		base_url,
		client_id,
		kind,
		dialect,
		...(provider !== undefined && { provider: provider.name }),
		redirect_uri: isViewer ? viewer.redirect_uri : kind === 'installed' ? anyPort : redirect_uri,
		characters: [...sandbox.characters],
		urls: isViewer ? { signIn: `${base_url}/viewer`, use: '', signOut: `${base_url}/viewer` } : urls,
		seed: 1 + Math.floor(Math.random() * seeds),
		started: Date.now(),
		prediction: '',
		probes: [],
		result: null,
		isOver: false,
		cited: [],
		history: []
	};
}
