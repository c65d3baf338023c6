import { describe, expect, it } from 'vitest';
import { courseTitles } from '#api/control/course-ids.ts';
import { allLessons } from '#course/lessons/all-lessons.ts';
import { demoWorld } from '../../client/demo-world.ts';
import { countsText, courseOf, kindWord, planText, wholeCourse, workshopOf } from '#course/list/course.ts';
import { stepsOf } from '#course/list/course.ts';

describe('the whole course', () => {
	it('has each lesson with its exercises and labs after it, and no id twice', () => {
		expect(new Set(wholeCourse.map(({ id }) => id)).size).toBe(wholeCourse.length);
		const lessons = wholeCourse.flatMap(({ lesson }) => lesson ?? []);
		expect([...new Set(lessons)]).toEqual(allLessons.map(({ id }) => id));
		expect(lessons.flatMap((id, at) => (id === lessons[at - 1] ? [] : [id]))).toEqual(allLessons.map(({ id }) => id));
		const lessonOf = (id: string) => wholeCourse.find((item) => item.id === id)?.lesson;
		expect([lessonOf('write/exchange-the-code'), lessonOf('labs/login-csrf')]).toEqual([
			'whole-trip',
			'uninvited-code'
		]);
	});

	it('is what the service accepts in classes, and names in an export', () => {
		expect(courseTitles).toEqual(new Map(wholeCourse.map(({ id, title }) => [id, title])));
	});

	it('does not say what a broken client is about', () => {
		for (const { id, lesson } of wholeCourse) if (id.startsWith('write/repair-')) expect(lesson).toBeUndefined();
	});

	it('is all lessons in a class that names nothing, and else what it names, in the order of the course', () => {
		expect(courseOf(demoWorld, [])).toHaveLength(allLessons.length);
		const chosen = ['labs/login-csrf', 'write/exchange-the-code', 'whole-trip', 'unknown'];
		expect(courseOf(demoWorld, chosen).map(({ id }) => id)).toEqual([
			'whole-trip',
			'write/exchange-the-code',
			'labs/login-csrf'
		]);
	});

	it('says how much a class has chosen', () => {
		const chosen = ['labs/login-csrf', 'whole-trip', 'one-letter-off'];
		expect(planText(courseOf(demoWorld, chosen))).toBe('2 lessons, 1 lab, 19 minutes');
		const own = { id: 'own-ten', kind: 'lesson', path: 'learn/own-ten', title: 'Ten', goal: '', minutes: 5 } as const;
		expect(planText([own]), 'of an instructor').toBe('1 exercise, 5 minutes');
		expect(kindWord(own)).toBe('exercise');
	});

	it('is a workshop in its order, with the discussions that notes plan', () => {
		const chosen = courseOf(demoWorld, ['labs/login-csrf', 'whole-trip', 'one-letter-off']);
		const rows = workshopOf(chosen, new Map([['whole-trip', 5]]));
		const [first, second] = chosen.map(({ minutes }) => minutes);
		expect(rows.map(({ id, from, discuss }) => [id, from, discuss])).toEqual([
			['whole-trip', 0, 5],
			['one-letter-off', (first ?? 0) + 5, 0],
			['labs/login-csrf', (first ?? 0) + 5 + (second ?? 0), 0]
		]);
		expect(countsText(rows)).toBe('2 lessons, 1 lab');
	});

	it('has the steps of each item that a seat reports', async () => {
		for (const { id } of wholeCourse) expect((await stepsOf(id)).length, id).toBeGreaterThan(0);
	});
});
