import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '#client/cli/run.server.ts';
import type { CliEnvironment } from '#client/cli/environment.server.ts';
import { FakeService } from '../fake-service.ts';

const noon = Date.UTC(2026, 10, 21, 12);

/** What a command line came to. */
export type Outcome = { code: number; out: string; err: string };

/** A machine to run command lines on: a home of its own, the fake service, and a browser with somebody who agrees. */
export class TestCli {
	readonly home = mkdtempSync(join(tmpdir(), 'tollgate-program-'));
	readonly service = new FakeService(() => noon);

	constructor() {
		this.service.client_secret = 'companion-secret';
	}

	/** Runs a command line. */
	async run(words: readonly string[], more: Partial<CliEnvironment> = {}, isTerminal = false): Promise<Outcome> {
		let [out, err] = ['', ''];
		const code = await runCli(words, {
			env: { XDG_CONFIG_HOME: this.home, TOLLGATE_URL: this.service.base_url },
			root: this.home,
			out: { write: (text) => (out += text), isTerminal },
			err: { write: (text) => (err += text), isTerminal },
			fetch: () => this.service.fetch,
			openBrowser: agree,
			interrupted: new AbortController().signal,
			timeout: () => new AbortController().signal,
			now: () => noon,
			...more
		});
		return { code, out, err };
	}

	/** Leaves nothing behind. */
	discard(): void {
		rmSync(this.home, { recursive: true, force: true });
	}
}

/** A browser with somebody who agrees. */
export function agree(address: string): Promise<boolean> {
	const query = new URL(address).searchParams;
	const back = `${query.get('redirect_uri') ?? ''}/?code=code-1&state=${query.get('state') ?? ''}`;
	void fetch(back);
	return Promise.resolve(true);
}
