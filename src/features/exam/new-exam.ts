import * as v from 'valibot';
import type { DialectName } from '#api/dialect.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { shownSecrets } from '#client/control-api/shown-secrets.svelte.ts';
import { viewerRegistration, type World } from '#client/world.ts';
import { createExamSandbox, type ExamProvider, userName } from '#exam/sandbox.ts';
import type { MySandboxes } from '../shell/my-sandboxes.svelte.ts';
import type { ClientKind, ClientUrls, StoredExam } from './stored-exam.ts';
import { account } from '#api/protocol/account.ts';

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

type Account = v.InferOutput<typeof account>;

/** The password of every account of an exam. */
const password = 'demo';

/**
 * Signs in this browser at the service, in place of the user who is signed in. The user then only has to allow access.
 * @param baseUrl of the sandbox
 * @throws {Error} if the service rejects it
 */
export async function signInAtService(baseUrl: string, username: string): Promise<void> {
	const url = `${baseUrl}/account`;
	const headers = { accept: 'application/json' };
	const read = async () => v.parse(account, await (await fetch(url, { headers, cache: 'no-store' })).json());
	const send = ({ form }: Account, fields: Record<string, string>) =>
		fetch(url, { method: 'POST', headers, body: new URLSearchParams({ ...form.fields, ...fields }) });
	const before = await read();
	if (before.signed_in) {
		if (before.username === username) return;
		await send(before, { action: 'sign-out' });
	}
	const form = before.signed_in ? await read() : before;
	await send(form, { action: 'sign-in', username, password });
	const after = await read();
	if (!after.signed_in || after.username !== username) throw new Error(`The service did not sign in ${username}.`);
}
