import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';

/** A Python program that signs a user in by a browser. */
export type PythonClient = {
	/** A folder for its files. */
	readonly folder: string;
	readonly code: string;
	readonly client_secret: string;
	/** Certificate of the CA of the server, PEM. */
	readonly authority: string;
	/** The redirect URI. Nothing listens there. */
	readonly redirect_uri: string;
};

/** The Python with requests-oauthlib; undefined: none is installed. */
export const python = ['python3', '/usr/bin/python3'].find(
	(program) => spawnSync(program, ['-c', 'import requests_oauthlib']).status === 0
);

/**
 * Runs the program, and plays its user in the browser.
 * @param allow signs in and allows access on the page that the program asks to open
 * @returns what it printed
 */
export async function runPython(page: Page, client: PythonClient, allow: () => Promise<void>): Promise<string> {
	const { folder, code, client_secret, authority, redirect_uri } = client;
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'client.py'), code);
	writeFileSync(join(folder, 'ca.pem'), authority);
	const env = { ...process.env, CLIENT_SECRET: client_secret, REQUESTS_CA_BUNDLE: join(folder, 'ca.pem') };
	const program = spawn(python ?? 'python3', ['client.py'], { cwd: folder, env });
	const errors = text(program.stderr);
	let printed = '';
	const url = await new Promise<string>((resolve, reject) => {
		program.once('error', reject);
		program.once('close', () => reject(new Error(`The program ended before it printed a URL. ${printed}`)));
		program.stdout.on('data', (chunk: Buffer) => {
			printed += chunk.toString();
			const [found] = /https:\/\/\S+(?=\s)/.exec(printed) ?? [];
			if (found !== undefined) resolve(found);
		});
	});
	const callback = page.waitForRequest((request) => request.url().startsWith(redirect_uri));
	// It fails where the service redirects at once, because nothing listens at the redirect URI.
	await page.goto(url).catch(() => undefined);
	await allow();
	program.stdin.end(`${(await callback).url()}\n`);
	// A page that is still on its way to the redirect URI would interrupt the next one.
	await page.waitForURL(/^chrome-error:/);
	const status = await new Promise<number | null>((resolve) => program.once('close', resolve));
	if (status !== 0) throw new Error(`The program failed.\n${printed}\n${await errors}`);
	return printed;
}
