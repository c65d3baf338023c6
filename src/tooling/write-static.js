// Writes the static build for a path. Plain JavaScript: `npm run build:static` and the package both run it.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The base path in the files that Vite builds. Each copy of them has its own in its place. */
export const basePlaceholder = '/__tollgate_base__';

/** In the pages without content: the place of what names the site in the head, before any script runs. */
export const headPlaceholder = '<!-- site -->';

/**
 * @typedef {object} SiteBrand the brand of a packed world file
 * @property {string} name
 * @property {string} [tagline]
 * @property {{ light: string }} [logo] a data URI
 * @property {{ light: string }} [accent]
 */

const textFiles = new Set(['.html', '.js', '.css', '.json', '.txt', '.md', '.webmanifest']);

/**
 * The origin of a site, which previews of links need for the picture.
 * @param {string} value as for `basePath`
 * @returns {string | undefined} such as `https://demo.example`; undefined where the value is a path
 */
export function originOf(value) {
	return /^https?:\/\//.test(value) && URL.canParse(value) ? new URL(value).origin : undefined;
}

/**
 * Checks the path that a site is served below.
 * @param {string} value such as `demo`, `/demo/`, `https://demo.example/demo` or empty
 * @returns {string} empty, or with a leading slash and without a trailing one
 * @throws {RangeError} where it is not a path
 */
export function basePath(value) {
	const path = (originOf(value) === undefined ? value : new URL(value).pathname).replace(/^\/|\/$/g, '');
	if (path === '') return '';
	const isPath = path.split('/').every((part) => /^[\w~-][\w.~-]*$/.test(part));
	if (!isPath) throw new RangeError(`The base path is "${value}". Use letters, digits and hyphens, for example /demo.`);
	return `/${path}`;
}

/**
 * Sets the base path and the world in a copy of the built static files.
 * @param {string} folder of the copy
 * @param {string} base as `basePath` returns it
 * @param {import('../hosts/world-file.server.ts').PackedWorld} [world] Default: the demo world
 * @param {string} [origin] as `originOf` returns it. Without it, previews of links have no picture
 * @param {string} [lessons] exercises of instructors, as `siteLessons` returns them
 * @throws {NodeJS.ErrnoException} where the folder cannot be written
 */
export function writeStatic(folder, base, world, origin, lessons = '[]') {
	/** @type {{ brand?: SiteBrand }} */
	const { brand } = JSON.parse(world?.file ?? '{}');
	const picture = brand === undefined ? 'icon-512.png' : world?.picture && 'picture.png';
	const head = headOf(brand ?? { name: 'Tollgate' }, base, origin && picture && `${origin}${base}/${picture}`);
	for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
		if (!textFiles.has(extname(name))) continue;
		const text = readFileSync(join(folder, name), 'utf8');
		const written = rebase(text, base).replace(headPlaceholder, () => head);
		if (written !== text) writeFileSync(join(folder, name), written);
	}
	mkdirSync(join(folder, '_app'), { recursive: true });
	writeFileSync(join(folder, '_app/lessons.json'), lessons);
	if (world === undefined) return;
	writeFileSync(join(folder, 'world.json'), world.file);
	if (world.picture !== undefined) writeFileSync(join(folder, 'picture.png'), world.picture);
	if (brand !== undefined) applyBrand(folder, brand);
	for (const name of ['llms.txt', 'skill.md']) rewrite(join(folder, name), world.words);
	rewrite(join(folder, 'openapi.json'), world.api);
}

/**
 * Gives a written site a brand in what browsers read before scripts run. Pages of the documentation were built with another brand,
 * so they start as pages without content.
 * @param {string} folder
 * @param {SiteBrand} brand
 */
function applyBrand(folder, { name, tagline, logo, accent }) {
	for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
		if (/^docs\b.*\.html$/.test(file)) cpSync(join(folder, 'index.html'), join(folder, file));
	const path = join(folder, 'manifest.webmanifest');
	/** @type {object} */
	const manifest = JSON.parse(readFileSync(path, 'utf8'));
	const changed = {
		...manifest,
		name,
		short_name: name,
		...(tagline === undefined ? {} : { description: tagline }),
		...(accent === undefined ? {} : { theme_color: accent.light }),
		...(logo === undefined ? {} : { icons: [{ src: logo.light, sizes: 'any' }] })
	};
	writeFileSync(path, `${JSON.stringify(changed, undefined, '\t')}\n`);
}

/**
 * @param {string} path
 * @param {(text: string) => string} change
 */
function rewrite(path, change) {
	writeFileSync(path, change(readFileSync(path, 'utf8')));
}

/**
 * What names the site in the head of a page without content.
 * @param {SiteBrand} brand
 * @param {string} base
 * @param {string | undefined} image the URL of the picture in previews of links
 */
function headOf({ name, tagline, logo }, base, image) {
	const description = tagline ?? 'Learn, demonstrate and teach OAuth 2.0 and rate limiting.';
	return [
		`<title>${escaped(name)}</title>`,
		`<link rel="icon" href="${escaped(logo?.light ?? `${base}/favicon.svg`)}">`,
		'<meta property="og:type" content="website">',
		...['og:site_name', 'og:title'].map((property) => `<meta property="${property}" content="${escaped(name)}">`),
		`<meta property="og:description" content="${escaped(description)}">`,
		...(image ? [`<meta property="og:image" content="${image}">`] : []),
		...(image?.endsWith('/picture.png') ? ['<meta name="twitter:card" content="summary_large_image">'] : [])
	].join('');
}

/** @param {string} text of an element or an attribute in double quotes */
function escaped(text) {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/**
 * Sets the base path in a file. The policy of a page has hashes of its scripts, which contain the path.
 * @param {string} text
 * @param {string} base
 */
function rebase(text, base) {
	let result = text.replaceAll(basePlaceholder, base);
	for (const [, script = ''] of text.matchAll(/<script[^>]*>([^]*?)<\/script>/g)) {
		if (!script.includes(basePlaceholder)) continue;
		result = result.replaceAll(hashOf(script), hashOf(script.replaceAll(basePlaceholder, base)));
	}
	return result;
}

/** @param {string} script */
function hashOf(script) {
	return createHash('sha256').update(script).digest('base64');
}
