import { expect, test } from 'vitest';
import { openScormRunTime, type ScormEdition } from '#course/embed/scorm-run-time.ts';

/** A run-time that keeps what is set, and the frames around a lesson. */
function courseSystem(edition: ScormEdition, before: Record<string, string> = {}) {
	const values = new Map(Object.entries(before));
	const called: string[] = [];
	const note =
		(name: string, respond: (...args: string[]) => string) =>
		(...args: string[]) => {
			called.push(name);
			return respond(...args);
		};
	const prefix = edition === 'SCORM 1.2' ? 'LMS' : '';
	const api = {
		[`${prefix}Initialize`]: note('start', () => 'true'),
		[`${prefix}GetValue`]: note('get', (name) => values.get(name) ?? ''),
		[`${prefix}SetValue`]: note('set', (name, value) => (values.set(name, value), 'true')),
		[`${prefix}Commit`]: note('save', () => 'true'),
		[edition === 'SCORM 1.2' ? 'LMSFinish' : 'Terminate']: note('end', () => 'true')
	};
	return { values, called, holder: { [edition === 'SCORM 1.2' ? 'API' : 'API_1484_11']: api } };
}

/** A window whose parent is its own parent. */
const top = (more: object = {}) => {
	const frame: Record<string, unknown> = { opener: null, ...more };
	frame.parent = frame;
	return frame;
};
const inside = (parent: object): object => ({ parent, opener: null });
/** Of another origin: reading anything else than its parent throws. */
const foreign = (parent: object): object =>
	new Proxy(inside(parent), {
		get(target, name) {
			if (name === 'parent') return Reflect.get(target, name);
			throw new DOMException('Blocked a frame', 'SecurityError');
		}
	});

test.each<ScormEdition>(['SCORM 1.2', 'SCORM 2004'])('records completion, score and time in %s, once', (edition) => {
	const { values, called, holder } = courseSystem(edition);
	let now = 0;
	const runTime = openScormRunTime(inside(inside(top(holder))), edition, () => now);
	expect(runTime).toBeDefined();
	const status = edition === 'SCORM 1.2' ? 'cmi.core.lesson_status' : 'cmi.completion_status';
	expect(values.get(status)).toBe('incomplete');
	runTime?.report({ type: 'score', score: 50 });
	runTime?.report({ type: 'score', score: 25 });
	expect(values.get(edition === 'SCORM 1.2' ? 'cmi.core.score.raw' : 'cmi.score.raw')).toBe('50');
	runTime?.report({ type: 'score', score: 100 });
	runTime?.report({ type: 'completed' });
	now = 3_725_000;
	runTime?.end();
	runTime?.end();
	runTime?.report({ type: 'score', score: 1 });
	expect(called.filter((name) => name === 'end')).toHaveLength(1);
	expect(Object.fromEntries(values)).toMatchObject(
		edition === 'SCORM 1.2'
			? {
					[status]: 'completed',
					'cmi.core.score.raw': '100',
					'cmi.core.session_time': '0001:02:05',
					'cmi.core.exit': ''
				}
			: {
					[status]: 'completed',
					'cmi.success_status': 'passed',
					'cmi.score.scaled': '1',
					'cmi.session_time': 'PT3725S',
					'cmi.exit': 'normal'
				}
	);
});

test('what was recorded before is never lowered, and an open lesson goes on next time', () => {
	const done = courseSystem('SCORM 1.2', { 'cmi.core.lesson_status': 'passed', 'cmi.core.score.raw': '90' });
	const again = openScormRunTime(top(done.holder), 'SCORM 1.2');
	again?.report({ type: 'score', score: 50 });
	again?.report({ type: 'completed' });
	again?.end();
	expect(done.values.get('cmi.core.lesson_status')).toBe('passed');
	expect(done.values.get('cmi.core.score.raw')).toBe('90');
	const open = courseSystem('SCORM 2004');
	openScormRunTime(top(open.holder), 'SCORM 2004')?.end();
	expect(open.values.get('cmi.exit')).toBe('suspend');
});

test('finds the run-time in the window that opened the lesson, and beyond a frame of another origin in none', () => {
	const { holder } = courseSystem('SCORM 2004');
	expect(openScormRunTime(top({ opener: inside(top(holder)) }), 'SCORM 2004')).toBeDefined();
	expect(openScormRunTime(inside(top({ opener: top(holder) })), 'SCORM 2004')).toBeDefined();
	expect(openScormRunTime(inside(foreign(top())), 'SCORM 2004')).toBeUndefined();
});

test.each<[string, object]>([
	['no run-time', top()],
	['another edition', top(courseSystem('SCORM 1.2').holder)],
	['one that does not start', top({ API_1484_11: { Initialize: () => 'false' } })],
	['one without functions', top({ API_1484_11: { Initialize: 'true' } })],
	['a text in its place', top({ API_1484_11: 'API' })]
])('there is no course system with %s', (_, frame) => {
	expect(openScormRunTime(frame, 'SCORM 2004')).toBeUndefined();
});
