import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allLessons, loadLesson } from '#course/lessons/all-lessons.ts';
import { instruction } from '#course/lessons/model/fill-in.ts';

test('an instruction has the name of the service, and the scheme that is registered', () => {
	const text = 'Select **Sign in with {brand}**. Write `{other_scheme}` instead of `{scheme}`.';
	expect(instruction(text, 'Nordklinik', 'https://localhost/~blue-1')).toBe(
		'Select **Sign in with Nordklinik**. Write `http` instead of `https`.'
	);
	expect(instruction('{scheme} {other_scheme}', '', 'http://localhost')).toBe('http https');
});

test('the buttons of the instructions have the names that they have on the pages', async () => {
	const pages = ['src/features', 'src/course', 'src/service']
		.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
		.filter((path) => /\.(?:svelte|ts)$/.test(path) && !path.endsWith('/lesson.ts'))
		.map((path) => readFileSync(path, 'utf8'))
		.join('\n');
	const unknown: string[] = [];
	for (const { id } of allLessons)
		for (const { text } of (await loadLesson(id))?.stage.steps ?? [])
			for (const [, name = ''] of text.matchAll(/\*\*([^*]+)\*\*/g))
				if (!isOn(pages, name)) unknown.push(`${id}: ${name}`);
	expect(unknown).toEqual([]);
});

/** Whether a text is a label: as it is written, or with values for some of its words. */
function isOn(pages: string, name: string): boolean {
	const words = name.split(' ').map((word) => {
		const text = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		return /^\{|^\d/.test(word) ? '\\$?\\{[^}]+\\}' : text;
	});
	const label = words.join('\\s+');
	return new RegExp(`(?:[>'"\`]|\\n)\\s*${label}\\s*(?:[<'"\`]|\\n)`).test(pages) || isComputed(name);
}

/** The name of a button that depends on the step. */
function isComputed(name: string): boolean {
	return /^(?:Pause at redirect (?:out|back)|Load 20 (?:at once|in turn)|Change to sliding log|Speak like (?:GitHub OAuth apps|Google|Slack))$/.test(
		name
	);
}
