import { createHash } from 'node:crypto';
import { start, type MadeEntry } from '../make-har.ts';

// Twelve sign-ins in the form that the documentation of providers describes, at fictional hosts. Each secret contains "canary".

export const secret = (name: string) => `canary-${name}-q3VGJ1xkR0mZ8tYw5b`;
export const query = (record: Record<string, string>) => new URLSearchParams(record).toString();
export const seconds = start / 1000;
export const base64url = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');
export const jwt = (claims: object) =>
	`${base64url({ alg: 'RS256', kid: '1' })}.${base64url(claims)}.${Buffer.from('canary-signature').toString('base64url')}`;
export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

export type Recording = {
	readonly har: string;
	/** In the order of the file. Those without one are left out. */
	readonly roles: readonly string[];
	/** Ids of findings that must be there. */
	readonly findings: readonly string[];
	readonly failed?: readonly string[];
};

export const asset = (host: string): MadeEntry => ({
	at: 0.5,
	url: `https://${host}/static/app.9f3.js`,
	body: 'canary',
	responseHeaders: { 'content-type': 'text/javascript' }
});
