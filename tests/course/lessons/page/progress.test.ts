import { describe, expect, it } from 'vitest';
import { lessonIn, noProgress, parseProgress, stateOf, withLesson, withShown } from '#course/lessons/model/progress.ts';
import {
	mergeProgress,
	ProgressFileError,
	readProgressFile,
	writeProgressFile
} from '#course/lessons/model/progress-file.ts';
import { parseRun } from '#course/lessons/model/run.ts';

const shown = { code_issued: ['r1'], code_exchanged: ['r2'] };
const done = withShown(noProgress, 'whole-trip', shown, true, 5);

describe('progress', () => {
	it('keeps what was shown when a later run shows less', () => {
		const later = withShown(done, 'whole-trip', { code_issued: ['r9'] }, false, 9);
		expect(lessonIn(later, 'whole-trip')).toMatchObject({ shown, done: 5 });
	});

	it('keeps the evidence of a finished lesson when a later run shows more', () => {
		const more = { code_issued: ['r8'], code_exchanged: ['r9'], character_read: ['r10'] };
		for (const isDone of [true, false])
			expect(lessonIn(withShown(done, 'whole-trip', more, isDone, 9), 'whole-trip')).toMatchObject({
				shown,
				done: 5
			});
	});

	it('replaces the evidence of an open lesson when a later run shows more', () => {
		const open = withShown(noProgress, 'whole-trip', { code_issued: ['r1'] }, false, 5);
		expect(lessonIn(withShown(open, 'whole-trip', shown, true, 9), 'whole-trip')).toEqual({
			shown,
			done: 9
		});
	});

	it('lists a lesson that Tollgate did as revealed, and as shown once the learner has shown it', () => {
		const revealed = withLesson(noProgress, 'whole-trip', { revealed: 1 });
		expect(stateOf(lessonIn(revealed, 'whole-trip'))).toBe('revealed');
		expect(stateOf(lessonIn(withShown(revealed, 'whole-trip', shown, true, 2), 'whole-trip'))).toBe('shown');
		expect(stateOf(lessonIn(withLesson(noProgress, 'a', { started: 1 }), 'a'))).toBe('started');
		expect(stateOf(lessonIn(noProgress, 'a'))).toBe('open');
	});

	it('survives another version: unknown parts are kept, invalid ones are left out', () => {
		const found = {
			version: 7,
			badges: ['x'],
			choices: { 'a/b/c': 'unknown', 'a/b/d': {} },
			lessons: { good: { shown, done: 3, mood: 'fine' }, old: { skipped: 4 }, bad: { shown: 'r1' } }
		};
		const parsed = parseProgress(found);
		expect(parsed).toEqual({
			version: 7,
			badges: ['x'],
			choices: { 'a/b/c': 'unknown' },
			lessons: { good: { shown, done: 3, mood: 'fine' }, old: { shown: {}, skipped: 4 } }
		});
		expect(stateOf(lessonIn(parsed, 'old'))).toBe('open');
		expect(parseProgress('nonsense')).toEqual(noProgress);
		expect(parseRun({ sandbox: 1 })).toBeUndefined();
	});

	it('exports and imports without loss on either side', () => {
		const other = withLesson(withShown(noProgress, 'b', { one: ['r5'] }, true, 8), 'whole-trip', { revealed: 4 });
		const merged = mergeProgress(readProgressFile(writeProgressFile(done, { write: { a: 1 } })).progress, other);
		expect(lessonIn(merged, 'whole-trip')).toMatchObject({ shown, done: 5, revealed: 4 });
		expect(lessonIn(merged, 'b')).toMatchObject({ shown: { one: ['r5'] }, done: 8 });
		expect(merged).not.toHaveProperty('format');
	});

	it.each(['{', '[]', '{"format":"tollgate-snapshot","version":1}'])('rejects the file %s', (text) => {
		expect(() => readProgressFile(text)).toThrow(ProgressFileError);
	});
});
