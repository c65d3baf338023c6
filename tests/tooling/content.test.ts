import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContent } from '#tooling/vite/content-kinds.ts';
import { contentFiles } from '#tooling/vite/content.js';

const root = join(import.meta.dirname, '../..');
const path = join(root, 'src/content/lessons/device-codes.yaml');
const text = readFileSync(path, 'utf8');
/** The mistakes of the lesson with another text in it. */
function mistakes(from: string, to: string): readonly string[] {
	expect(text).toContain(from);
	const read = readContent('lessons', text.replace(from, to));
	return 'mistakes' in read ? read.mistakes.map(({ line, place, reason }) => `${line} ${place}: ${reason}`) : [];
}

const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

describe('a mistake in a content file', () => {
	it.each([
		['minutes: 6', 'minutes: six', 'minutes', 'Enter a whole number from 1 to 120. Found "six".'],
		['chapter: Today’s standards', 'chapter: Devices', 'chapter', 'Found "Devices".'],
		['order: 18', 'ordr: 18', 'ordr', 'There is no such field. Remove it or correct its name.'],
		['kind: device_allowed', 'kind: device_agreed', 'steps.3.conditions.0.shows.kind', 'Found "device_agreed".'],
		[
			'checks: [device.codes_issued]',
			'checks: [device.codes_made]',
			'steps.0.conditions.0.shows.checks.0',
			'Found "device.codes_made".'
		],
		['shownBy: slowed_down', 'shownBy: slow', 'prediction.shownBy', 'No condition has the id "slow".'],
		[
			'kind: device_allowed',
			'kind: code, name: herd.nothing',
			'steps.3.conditions.0.shows.name',
			'Use one of herd.herd_returned, '
		]
	])('%s as %s has its line, what was found and what was expected', (from, to, place, reason) => {
		const found = mistakes(from, to);
		expect(
			found.some((one) => one.startsWith(`${lineOf(from)} ${place}: `) && one.includes(reason)),
			found.join('\n')
		).toBe(true);
	});

	it('is a text that is no YAML, a name that occurs twice, an alias', () => {
		expect(mistakes('minutes: 6', 'minutes: [6')[0]).toMatch(/^\d+ : It is not YAML: /);
		expect(mistakes('minutes: 6', 'minutes: 6\nminutes: 7')[0]).toMatch(
			/^\d+ : It is not YAML: Map keys must be unique/
		);
		expect(mistakes('minutes: 6', 'minutes: &a 6\nx: *a')[0]).toContain('It has an alias in line 6.');
	});

	it('is a field that is missing', () => {
		expect(mistakes('minutes: 6\n', '')).toEqual(['1 minutes: This field is required. Found nothing.']);
	});
});

describe('the plugin', () => {
	/** What the plugin loads, or the mistake that it reports. */
	async function load(id: string, content = text): Promise<unknown> {
		const importSource = () =>
			Promise.resolve({ module: { readContent: (folder: string) => readContent(folder, content) }, files: [] });
		const { load: hook } = contentFiles(root, importSource);
		if (typeof hook !== 'object') throw new Error('The plugin loads nothing.');
		const context = {
			addWatchFile: () => undefined,
			error: (mistake: object) => {
				throw Object.assign(new Error('mistake'), { mistake });
			}
		};
		return Reflect.apply(hook.handler, context, [id]);
	}

	it('gives a list the head of a file only, and the service its title', async () => {
		const [about, whole] = [String(await load(`${path}?about`)), String(await load(path))];
		expect(about).toContain('"chapter":"Today’s standards"');
		expect(about).not.toContain('"steps"');
		expect(whole).toContain('"steps"');
		expect(whole).not.toContain('"chapter"');
		expect(await load(`${path}?title`)).toBe('export default "A device without a browser";');
	});

	it('reads the title of an exercise and a lab from its folder', async () => {
		expect(await load(join(root, 'src/course/labs/labs/mix-up/about.ts?title'))).toBe(
			'export default "Mix-up with two issuers";'
		);
	});

	it('ends the build with the file and the line of a mistake', async () => {
		await expect(load(path, text.replace('minutes: 6', 'minutes: six'))).rejects.toMatchObject({
			mistake: {
				message: 'device-codes.yaml, line 5, minutes: Enter a whole number from 1 to 120. Found "six".',
				loc: { file: path, line: 5 }
			}
		});
	});
});
