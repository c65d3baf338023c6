import { expect, test } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { findHistory } from '#features/inspector/value-history.ts';
import { timelineEntry } from './timeline-entry.ts';

const issued = timelineEntry(1, {
	credentials: [{ type: 'issued', kind: 'access_token', id: 'at', grant: 'g', family: 'f', scopes: [], expires: 5_000 }]
});
const ended = (seq: number) =>
	timelineEntry(seq, { credentials: [{ type: 'ended', kind: 'grant', id: 'g', reason: 'revoked' }] });
const use = (seq: number): TrafficEntry =>
	timelineEntry(seq, { values: [{ id: 'at', label: 'Access token A1', preview: '' }] });
const cause = (entry: TrafficEntry, ...entries: TrafficEntry[]) =>
	findHistory(entry, entries, 'access_token.known')?.cause;

test('only what came before a request explains it', () => {
	expect(cause(use(3), issued, ended(2), use(3))).toBe('revoked');
	expect(cause(use(3), issued, use(3), ended(4))).toBeUndefined();
});

test('a token is expired from the instant that its response named', () => {
	expect(cause(use(4), issued)).toBeUndefined();
	expect(cause(use(5), issued)).toBe('expired');
});

test('a token of another kind is named as such', () => {
	expect(findHistory(use(2), [issued], 'token.code_known')?.cause).toBe('other_kind');
});
