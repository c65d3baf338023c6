import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subset from 'subset-font';
import * as v from 'valibot';
import type { Plugin } from 'vite';

/** The packages of the fonts, below `@fontsource-variable`. */
const families = ['geist', 'geist-mono'];
/** The parts of them that `fonts.css` names. */
const scripts = ['latin', 'latin-ext'];
/** The weights that the styles use. The fonts have all from 100 to 900, and half of a file is for the others. */
const weights = { min: 400, max: 600, default: 400 };
/** Its ligatures and other forms are of no use in code, and its digits have one width. */
const withoutForms = 'geist-mono';

const packageFile = v.object({ version: v.string() });
const unicodeFile = v.record(v.string(), v.string());

/**
 * Vite plugin that narrows the fonts to the weights in use, so that they need two thirds of the bytes. The narrowed files are made once
 * for each version of a font and these settings, and keep their characters and, but for code, their features.
 * @param root the project's folder
 */
export function fonts(root: string): Plugin {
	return {
		name: 'tollgate-fonts',
		async config() {
			const narrowed = families.map(async (family) => ({
				find: `@fontsource-variable/${family}/files`,
				replacement: await narrow(root, family)
			}));
			return { resolve: { alias: await Promise.all(narrowed) } };
		}
	};
}

/** @returns the folder of the narrowed files of a family */
async function narrow(root: string, family: string): Promise<string> {
	const source = join(root, 'node_modules/@fontsource-variable', family);
	const { version } = v.parse(packageFile, JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')));
	const ranges = v.parse(unicodeFile, JSON.parse(readFileSync(join(source, 'unicode.json'), 'utf8')));
	const folder = join(root, `node_modules/.cache/fonts/${family}-${version}-${weights.max}`);
	if (existsSync(folder)) return folder;
	// Builds can run at the same time: the folder appears complete.
	const temporary = `${folder}.${process.pid}`;
	mkdirSync(temporary, { recursive: true });
	for (const script of scripts) {
		const name = `${family}-${script}-wght-normal.woff2`;
		const font = await subset(readFileSync(join(source, 'files', name)), charactersIn(ranges[script] ?? ''), {
			targetFormat: 'woff2',
			variationAxes: { wght: weights },
			noLayoutClosure: family === withoutForms
		});
		writeFileSync(join(temporary, name), font);
	}
	if (!existsSync(folder)) renameSync(temporary, folder);
	return folder;
}

/** @param ranges as in CSS, `U+0000-00FF,U+0131` */
function charactersIn(ranges: string): string {
	return [...ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)]
		.flatMap(([, first = '', last = first]) => {
			const begin = parseInt(first, 16);
			return Array.from({ length: parseInt(last, 16) - begin + 1 }, (_, at) => String.fromCodePoint(begin + at));
		})
		.join('');
}
