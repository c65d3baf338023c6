import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, buildConnector, request } from 'undici';
import { sanitizeText } from '#lib/plain-text.ts';
import { UntrustedCertificate } from '#exam/browser.ts';
import { TLSSocket } from 'node:tls';
import { isLoopbackAddress } from '#hosts/node/client-documents.server.ts';

/** The client under test did not start. Its message is for the developer. */
export class ExaminedClientError extends Error {
	override name = 'ExaminedClientError';
}

/** How much of the output is kept for a message, in characters. */
const keptOutput = 4000;
/** How long a client may take to end, in milliseconds. */
const endTime = 3000;
const pollInterval = 100;
/** The variable that finds processes of a client which left its process group. */
const markName = 'TOLLGATE_EXAM_ID';

/** The process of the client under test, with all that it starts. */
export class ClientProcess {
	/** Resolves to the reason when the client has ended without being asked to. */
	readonly ended: Promise<string>;
	/** Resolves when the client has ended, for whatever reason, or did not start. */
	readonly closed: Promise<void>;
	readonly #command: string;
	readonly #child: ChildProcess;
	readonly #mark: string;
	#output = '';
	#isStopping = false;

	/**
	 * Starts a client in a process group.
	 * @param command the program and its arguments
	 * @param env the variables of the client
	 * @param mark unique for this exam
	 */
	constructor(command: readonly string[], env: NodeJS.ProcessEnv, mark: string) {
		const [program = '', ...args] = command;
		this.#command = sanitizeText(command.join(' ').replaceAll(/\s+/g, ' '), 80);
		this.#mark = mark;
		const isWindows = process.platform === 'win32';
		this.#child = spawn(program, args, {
			env: { ...env, [markName]: mark },
			stdio: 'pipe',
			detached: !isWindows,
			// npm is a script there.
			shell: isWindows
		});
		// A client that reads nothing must not end the exam.
		this.#child.stdin?.on('error', () => undefined);
		for (const stream of [this.#child.stdout, this.#child.stderr])
			stream
				?.setEncoding('utf8')
				.on('data', (text: string) => (this.#output = (this.#output + text).slice(-keptOutput)));
		this.closed = new Promise((resolve) => {
			for (const event of ['error', 'exit']) this.#child.once(event, () => resolve());
		});
		this.ended = new Promise((resolve) => {
			this.#child.on('error', (error: NodeJS.ErrnoException) =>
				resolve(
					error.code === 'ENOENT' ? `There is no program ${program}.` : `Cannot start ${program} (${error.code ?? ''}).`
				)
			);
			this.#child.on('exit', (code, signal) => {
				if (!this.#isStopping) resolve(`${this.#command} ended (${signal ?? `exit code ${code ?? 0}`}).`);
			});
		});
	}

	/** The last lines that the client printed, without control characters. */
	get output(): string {
		const lines = this.#output.trim().split(/\r?\n/).slice(-20);
		return lines.map((line) => sanitizeText(line, 200)).join('\n');
	}

	/** Writes to the standard input of the client. */
	write(text: string): void {
		this.#child.stdin?.write(text);
	}

	/**
	 * Waits until the client responds.
	 * @param url a page of the client
	 * @param limit in milliseconds
	 * @throws ExaminedClientError if it ends first, or does not respond in time
	 */
	async ready(url: string, limit: number, signal: AbortSignal): Promise<void> {
		const end = Date.now() + limit;
		let reason: string | undefined;
		void this.ended.then((sentence) => (reason = sentence));
		let status: Awaited<ReturnType<typeof statusOf>>;
		while (Date.now() < end && !signal.aborted) {
			status = await statusOf(url);
			if (reason !== undefined) throw new ExaminedClientError(reason);
			if (status instanceof UntrustedCertificate) throw new ExaminedClientError(status.message);
			if (status !== undefined && status < 400) return;
			await sleep(pollInterval);
		}
		if (signal.aborted) return;
		const what = status === undefined ? 'does not respond' : `responds with status ${status}`;
		throw new ExaminedClientError(
			`${url} ${what}, ${Math.round(limit / 1000)} seconds after the start of ${this.#command}.`
		);
	}

	/**
	 * Ends the client and all that it has started: by SIGTERM, and after a time by SIGKILL.
	 * @param limit in milliseconds
	 */
	async stop(limit = endTime): Promise<void> {
		this.#isStopping = true;
		this.#signal('SIGTERM');
		for (let waited = 0; waited < limit && this.#isRunning(); waited += pollInterval) await sleep(pollInterval);
		this.kill();
	}

	/** Ends the client and all that it has started, without waiting. */
	kill(): void {
		this.#isStopping = true;
		this.#signal('SIGKILL');
		for (const id of marked(this.#mark)) endProcess(id, 'SIGKILL');
		// A process that left the group may still hold them.
		this.#child.stdout?.destroy();
		this.#child.stderr?.destroy();
	}

	#isRunning(): boolean {
		return this.#signal(0);
	}

	/** Whether any process of the group got the signal. */
	#signal(signal: NodeJS.Signals | 0): boolean {
		const { pid } = this.#child;
		if (pid === undefined) return false;
		return endProcess(process.platform === 'win32' ? pid : -pid, signal);
	}
}

/**
 * The status of a page, without following redirects; undefined if there is no response.
 * @param url of the client
 */
export async function statusOf(url: string): Promise<number | UntrustedCertificate | undefined> {
	try {
		const response = await request(url, { dispatcher: clientAgent, signal: AbortSignal.timeout(5000) });
		await response.body.dump();
		return response.statusCode;
	} catch (thrown) {
		return thrown instanceof UntrustedCertificate ? thrown : undefined;
	}
}

function endProcess(id: number, signal: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(id, signal);
	} catch {
		return false;
	}
}

/** The processes with the mark in their environment, where the system shows it (Linux). */
function marked(mark: string): number[] {
	const ids = entriesOf('/proc').filter((name) => /^\d+$/.test(name));
	return ids.map(Number).filter((id) => id !== process.pid && environmentOf(id).includes(`${markName}=${mark}`));
}

function entriesOf(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

function environmentOf(id: number): string {
	try {
		return readFileSync(`/proc/${id}/environ`, 'utf8');
	} catch {
		return '';
	}
}

const connect = buildConnector({ rejectUnauthorized: false, maxCachedSessions: 0 });

/** Connects to clients. Developers have no trusted certificate for their own machine, so it needs none at a loopback address. */
export const clientAgent = new Agent({
	connect: (options, callback) =>
		connect(options, (...result) => {
			const [, socket] = result;
			if (!(socket instanceof TLSSocket) || socket.authorized || isLoopbackAddress(socket.remoteAddress ?? ''))
				return callback(...result);
			socket.destroy();
			callback(new UntrustedCertificate(`${options.protocol}//${options.host}`), null);
		})
});

/**
 * The words of a command line: separated by spaces, with single or double quotes around a word that contains spaces. A backslash
 * makes the next character plain. No shell is involved, so there are no variables and no pipes.
 */
export function splitCommand(line: string): string[] {
	const words = line.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs);
	return [...words].map(([word]) =>
		word.replaceAll(
			/\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
			(_, plain?: string, double?: string, single?: string) =>
				plain ?? double?.replaceAll(/\\(.)/gs, '$1') ?? single ?? ''
		)
	);
}
