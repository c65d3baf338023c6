import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import * as v from 'valibot';
import { preset, type Preset } from '#api/control/preset.ts';
import type { CreatedSandbox } from '#api/control/sandboxes.ts';
import { createTrustingFetch } from '#client/cli/ca-certificates.server.ts';
import { failureOf, localService } from '#client/cli/cli-error.ts';
import { ControlApi, ControlError } from '#client/control-api/control-api.ts';
import { baseUrlOf, certificatesOf } from './base-url.ts';
import { UsageError } from './client-exam/choices.ts';

type Given = {
	readonly url: string;
	readonly ca?: string;
	readonly key?: string;
	readonly name?: string;
	readonly preset?: string;
	readonly redirectUri?: readonly string[];
	readonly json?: true;
};

/** What the command prints. */
type Result = {
	readonly base_url: string;
	/** For `X-Tollgate-Key`. */
	readonly key: string;
	/** Gives the browser that opens it control of the sandbox. */
	readonly claim_url: string;
	readonly applications: readonly { readonly client_id: string; readonly client_secret?: string | undefined }[];
};

const timeoutMs = 30_000;
/** The client id of the application that `--redirect-uri` registers. */
const clientId = 'my-client';

/** Adds `tollgate sandbox create`. @param end gets the exit code */
export function addSandboxCommand(program: Command, end: (code: number) => void): void {
	program
		.command('sandbox')
		.description('create a sandbox on a server that runs already, see tollgate sandbox create --help')
		.command('create')
		.description(
			'create a sandbox, and print its base URL, its credentials and a link that gives a browser control of it'
		)
		.option('--url <URL>', 'base URL of the server', localService)
		.option('--ca <file>', 'CA certificate to trust (PEM), default: that of a local Tollgate')
		.option('--key <key>', 'key that may create sandboxes there, where not everyone may')
		.option('--name <name>', 'name of the sandbox')
		.option('--preset <file>', 'preset that prepares the sandbox (JSON)')
		.option(
			'--redirect-uri <URI>',
			`register your client as ${clientId}, once for each redirect URI`,
			(uri: string, previous: readonly string[] | undefined): readonly string[] => [...(previous ?? []), uri]
		)
		.option('--json', 'print one line of JSON in place of variables')
		.action(async (given: Given) => end(await create(given)));
}

/**
 * Creates a sandbox. Its secrets go to standard output only.
 * @returns the exit code
 * @throws UsageError for options that cannot be used
 */
async function create(given: Given): Promise<number> {
	const url = baseUrlOf(given.url);
	const prepared = presetOf(given);
	const trustingFetch = createTrustingFetch(certificatesOf(url, given.ca));
	let failure: unknown;
	const fetch = (target: string, init: RequestInit) =>
		trustingFetch(target, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
			failure = error;
			throw error;
		});
	try {
		const created = await new ControlApi(url, fetch).request('POST /control/sandboxes', {
			...(given.key === undefined ? {} : { key: given.key }),
			body: {
				...(given.name === undefined ? {} : { name: given.name }),
				...(prepared === undefined ? {} : { preset: prepared })
			}
		});
		const result = await resultOf(created, new ControlApi(created.base_url, fetch));
		console.log(given.json === true ? JSON.stringify(result) : variablesOf(result));
		console.error('Open TOLLGATE_CLAIM_URL in a browser to control the sandbox. Keep it and the key secret.');
		return 0;
	} catch (error) {
		if (!(error instanceof ControlError)) throw error;
		const { message, field } = error;
		const where = field === undefined || message.includes(field) ? '' : `${field}: `;
		console.error(`Cannot create a sandbox at ${url}. ${reasonOf(failure) ?? `${where}${message}`}`);
		return 1;
	}
}

async function resultOf({ base_url, key, applications }: CreatedSandbox, api: ControlApi): Promise<Result> {
	const { url } = await api.request('POST /control/owner-links', { key });
	const added = applications.map(({ client_id, client_secret }) => ({ client_id, client_secret }));
	if (added.length > 0) return { base_url, key, claim_url: url, applications: added };
	const { viewer } = await api.request('GET /control/world');
	const { client_id, client_secret } = viewer;
	return { base_url, key, claim_url: url, applications: [{ client_id, client_secret }] };
}

/** The lines of an env file, with the names that clients in an exam get. */
function variablesOf({ base_url, key, claim_url, applications }: Result): string {
	const clients = applications.flatMap(({ client_id, client_secret }, index) => {
		const end = index === 0 ? '' : `_${String(index + 1)}`;
		const secret = client_secret === undefined ? [] : [`TOLLGATE_CLIENT_SECRET${end}=${client_secret}`];
		return [`TOLLGATE_CLIENT_ID${end}=${client_id}`, ...secret];
	});
	return [`TOLLGATE_BASE_URL=${base_url}`, `TOLLGATE_KEY=${key}`, ...clients, `TOLLGATE_CLAIM_URL="${claim_url}"`].join(
		'\n'
	);
}

/** The preset of the file, with the application of `--redirect-uri`. */
function presetOf({ preset: file, redirectUri }: Given): Preset | undefined {
	const read = file === undefined ? undefined : readPreset(file);
	if (redirectUri === undefined) return read;
	const application = {
		client_id: clientId,
		name: 'My client',
		kind: 'web' as const,
		redirect_uris: [...redirectUri]
	};
	const begun: Preset = read ?? { format: 'tollgate-preset', version: 1 };
	return { ...begun, applications: [...(begun.applications ?? []), application] };
}

function readPreset(file: string): Preset {
	let data: unknown;
	try {
		data = JSON.parse(readFileSync(file, 'utf8'));
	} catch (error) {
		throw new UsageError(
			error instanceof SyntaxError ? `--preset: ${file} is not JSON.` : `--preset: ${file} cannot be read.`
		);
	}
	const parsed = v.safeParse(preset, data);
	if (parsed.success) return parsed.output;
	const [issue] = parsed.issues;
	const path = v.getDotPath(issue);
	throw new UsageError(`--preset: ${file} is no preset. ${path === null ? '' : `${path}: `}${issue.message}`);
}

/** Why there was no response, and what to do. */
function reasonOf(failure: unknown): string | undefined {
	const reasons = {
		unreachable: 'The connection failed. Start the server with npx tollgate, or name another one with --url.',
		untrusted:
			'No known CA signed its certificate, so nothing was sent. Add its CA certificate with --ca FILE: the server stores it as tls/ca.pem in its data folder.',
		no_tls: 'The server at this address does not use TLS. Check --url.'
	};
	const code = failureOf(failure);
	return code === undefined ? undefined : reasons[code];
}
