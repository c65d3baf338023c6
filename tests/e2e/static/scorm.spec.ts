import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { serveStatic } from '../../run/static-server.js';
import { unzipTo } from '../../run/unzip.ts';

const program = join(import.meta.dirname, '../../../build/host/tollgate.js');
const runTimes = join(import.meta.dirname, '../../../node_modules/scorm-again/dist');

/** A course system: a page with the run-time of the edition, and the lesson in a frame. */
const editions = [
	{
		edition: '1.2',
		script: 'scorm12.min.js',
		api: 'API = new Scorm12API({ autocommit: false, logLevel: 5 })',
		recorded: {
			'cmi.core.lesson_status': 'completed',
			'cmi.core.score.raw': '100',
			'cmi.core.score.max': '100'
		},
		get: 'API.getCMIValue'
	},
	{
		edition: '2004',
		script: 'scorm2004.min.js',
		api: 'API_1484_11 = new Scorm2004API({ autocommit: false, logLevel: 5 })',
		recorded: {
			'cmi.completion_status': 'completed',
			'cmi.success_status': 'passed',
			'cmi.score.scaled': '1',
			'cmi.score.raw': '100'
		},
		get: 'API_1484_11.getCMIValue'
	}
];

test.describe.configure({ mode: 'parallel' });

for (const { edition, script, api, recorded, get } of editions)
	test(`a course system with SCORM ${edition} records a completed lesson and its score`, async ({ page }) => {
		const folder = mkdtempSync(join(tmpdir(), 'tollgate-course-'));
		const file = join(folder, 'course.zip');
		const lesson = ['--lesson', 'whole-trip', 'once-too-often'];
		execFileSync(process.execPath, [program, 'scorm', file, '--edition', edition, ...lesson]);
		unzipTo(readFileSync(file), join(folder, 'files/course 7'));
		const frame =
			'<iframe title="Lesson" src="course 7/embed/lesson/whole-trip.html" width="1200" height="760"></iframe>';
		writeFileSync(join(folder, 'files/run-time.js'), readFileSync(join(runTimes, script)));
		writeFileSync(
			join(folder, 'files/lms.html'),
			`<!doctype html><title>Course</title><script src="run-time.js"></script><script>${api}</script>${frame}`
		);
		const server = await serveStatic(join(folder, 'files'));
		try {
			await page.goto(`${server.origin}/lms.html`);
			const shown = page.frameLocator('iframe').first();
			await shown.getByRole('button', { name: 'Start' }).click();
			await shown.getByRole('radio').first().check();
			await shown.getByRole('button', { name: 'Save' }).first().click();
			await shown.getByRole('button', { name: 'Sign in with Tollgate' }).click();
			const service = shown.frameLocator('iframe');
			await service.getByRole('button', { name: 'player-one' }).click();
			await service.getByRole('button', { name: 'Allow' }).click();
			await shown.getByRole('button', { name: 'Next' }).click();
			await shown.getByRole('button', { name: 'Look up', exact: true }).click();
			await expect(shown.getByText('Nothing is recorded')).toHaveCount(0);
			for (const [element, value] of Object.entries(recorded))
				await expect.poll(() => page.evaluate(`String(${get}('${element}'))`), element).toBe(value);
			const unexpected = server.requests.filter(
				({ target, method }) => method !== 'GET' || /\/(?:ws|control|~)/.test(target)
			);
			expect(unexpected).toEqual([]);
			// The frame is removed: the session ends.
			await page.evaluate(`document.querySelector('iframe').remove()`);
			const isOver = edition === '1.2' ? 'API.isTerminated()' : 'API_1484_11.isTerminated()';
			await expect.poll(() => page.evaluate(isOver)).toBe(true);
		} finally {
			await server.close();
			rmSync(folder, { recursive: true });
		}
	});
