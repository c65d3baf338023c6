import type { Case, Log } from './log.ts';
import { testCases } from './test-cases.ts';

type Outcome = 'passed' | 'missing_nonce' | 'old_nonce';

/** A request with a proof of one key. */
function send(log: Log, endpoint: 'par' | 'token' | 'character', outcome: Outcome, status?: null): void {
	const line = { id: 'dpop.proof_readable', name: '', section: '', outcome: 'passed', detail: 'key 1', duration_us: 1 };
	const result =
		outcome === 'passed'
			? { passed: 'dpop.nonce_current' }
			: { failed: 'dpop.nonce_current', cause: outcome, status: status === null ? status : 400 };
	log.add({ endpoint, path: `/${endpoint}`, trace: [{ ...line, outcome: 'passed' }], ...result });
}

const each =
	(endpoint: 'par' | 'token' | 'character', ...outcomes: readonly Outcome[]) =>
	(log: Log): void =>
		outcomes.forEach((outcome) => send(log, endpoint, outcome));
const repeated = (count: number, ...outcomes: readonly Outcome[]): Outcome[] =>
	Array.from({ length: count }, () => outcomes).flat();

const cases: Case[] = [
	[
		'dpop.nonce',
		'passed',
		'the first of all requests is pushed, and the first of a resource is another one',
		(log) => {
			each('par', 'missing_nonce', 'passed')(log);
			each('token', 'passed')(log);
			each('character', 'missing_nonce', 'passed', 'passed')(log);
		}
	],
	[
		'dpop.nonce',
		'passed',
		'two processes learn it',
		each('character', ...repeated(2, 'missing_nonce', 'passed'), 'passed')
	],
	[
		'dpop.nonce',
		'passed',
		'two processes learn it at the same time',
		each('character', 'missing_nonce', 'missing_nonce', 'passed', 'passed', 'passed')
	],
	['dpop.nonce', 'passed', 'it is replaced', each('character', 'missing_nonce', 'passed', 'old_nonce', 'passed')],
	[
		'dpop.nonce',
		'passed',
		'the user leaves before a request is sent again',
		each('character', 'missing_nonce', 'passed', 'old_nonce')
	],
	['dpop.nonce', 'not_shown', 'the response is lost', (log) => send(log, 'token', 'missing_nonce', null)],
	['dpop.nonce', 'failed', 'no request has it', each('character', 'missing_nonce', 'missing_nonce')],
	['dpop.nonce', 'failed', 'the client gives up', each('token', 'missing_nonce')],
	['dpop.nonce', 'failed', 'each request is sent twice', each('character', ...repeated(5, 'missing_nonce', 'passed'))],
	[
		'dpop.nonce',
		'failed',
		'an old one is never replaced',
		each('character', 'missing_nonce', 'passed', 'old_nonce', 'old_nonce')
	]
];

testCases(cases);
