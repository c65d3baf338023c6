import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { ownLessonPrefix } from '#api/control/own-lessons.ts';
import { html, type Html } from '#lib/html.ts';
import type { ScormEdition } from '#course/embed/scorm-run-time.ts';
import { allLessons } from '#course/lessons/all-lessons.ts';
import { type ArchivedFile, zip } from '#client/zip.ts';
import { readLessonFiles, siteLessons } from '#hosts/lesson-files.server.ts';
import { unpackFolder } from '../folder-archive.js';
import { basePlaceholder, headPlaceholder } from '../write-static.js';
import { WriteError } from './static-site.ts';

/** What a user chooses about a package. */
export type ScormChoices = {
	readonly edition: ScormEdition;
	/** Ids of lessons, and paths of lesson files, which end in `.json`. Empty: all lessons of the product. */
	readonly lessons: readonly string[];
	readonly title: string;
};

/** What lessons need of the static build. The service worker and the other pages stay out. */
const neededFiles = /^(?:_app\/.*|favicon\.svg|service\.css|world\.json)$/;
/** Exercises of instructors, as in a static site. */
const lessonsFile = '_app/lessons.json';
/** The global variable with the path of the package, which is known when a lesson is opened. */
const baseVariable = 'tollgateBase';

/**
 * Writes a package for course systems: lessons with their service inside.
 * @param archive the file with the static build, or the name of its folder with `.br`
 * @param file the package, relative to the working folder. It must not exist
 * @throws WriteError where a lesson does not exist, or the file cannot be written
 */
export function writeScorm(archive: string, file: string, choices: ScormChoices): void {
	const temporary = mkdtempSync(join(tmpdir(), 'tollgate-scorm-'));
	try {
		const folder = templateIn(archive, temporary);
		writeFileSync(file, zip(scormFiles(folder, choices), deflateRawSync), { flag: 'wx' });
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		const exists = error.code === 'EEXIST';
		throw new WriteError(
			exists ? `${file} exists. Choose another name, or delete it.` : `Cannot write ${file} (${String(error.code)}).`
		);
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}

/** The static build: of the package in a folder for it, or the one that a copy of the project has built. */
function templateIn(archive: string, temporary: string): string {
	const built = archive.replace(/\.br$/, '');
	if (existsSync(archive)) unpackFolder(readFileSync(archive), temporary);
	else if (existsSync(built)) return built;
	else
		throw new WriteError(
			'The static files are part of the npm package, and this copy does not have them. Run `npm run build:static` first.'
		);
	return temporary;
}

/**
 * The files of a package.
 * @param folder of the static build, without a base path
 * @throws WriteError where a lesson does not exist
 * @throws ConfigError with the mistakes of a lesson file
 */
export function scormFiles(
	folder: string,
	{ edition, lessons: named, title }: ScormChoices
): readonly ArchivedFile<string | Uint8Array>[] {
	const isFile = (name: string) => name.endsWith('.json');
	const own = readLessonFiles(named.filter(isFile), process.cwd(), '--lesson');
	const ids = named.filter((name) => !isFile(name));
	const data = own.length === 0 ? [] : [{ path: lessonsFile, text: siteLessons(own) }];
	const unknown = ids.find((id) => !allLessons.some((lesson) => lesson.id === id));
	if (unknown !== undefined)
		throw new WriteError(
			`There is no lesson ${unknown}. The lessons are ${allLessons.map(({ id }) => id).join(', ')}.`
		);
	const chosen = [
		...allLessons.filter(({ id }) => named.length === 0 || ids.includes(id)),
		...own.map((file) => ({ ...file, id: ownLessonPrefix + file.id }))
	];
	const lessons = chosen.map(({ id, title }) => ({ id, title, path: `embed/lesson/${id}.html` }));
	const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, '/').length).replaceAll('\\', '/'))
		.filter((path) => neededFiles.test(path) && path !== lessonsFile)
		.sort();
	const page = readFileSync(join(folder, '404.html'), 'utf8');
	return [
		{
			path: 'imsmanifest.xml',
			text: scormManifest({ title, edition, lessons, files: [...data.map(({ path }) => path), ...paths] })
		},
		...lessons.map((lesson) => ({ path: lesson.path, text: lessonPage(page, lesson, edition) })),
		...data,
		...paths.map((path) => ({ path, text: relativeFile(path, readFileSync(join(folder, path))) }))
	];
}

/**
 * A file without the base path: scripts compute it, and styles are relative to themselves.
 * @throws Error where a script names the base path in another way than the build did so far
 */
function relativeFile(path: string, content: Buffer): string | Uint8Array {
	if (!/\.(?:js|css)$/.test(path)) return content;
	const text = content.toString('utf8');
	const up = '../'.repeat(path.split('/').length - 1) || './';
	if (path.endsWith('.css')) return text.replaceAll(`${basePlaceholder}/`, up);
	const written = withVariable(text);
	if (written.includes(basePlaceholder)) throw new Error(`${path} names the base path in an unknown way.`);
	return written;
}

/** Texts that begin with the base path, as expressions. */
function withVariable(script: string): string {
	return script.replaceAll(
		new RegExp(`(["'\`])${basePlaceholder}([^"'\`\\\\$]*)\\1`, 'g'),
		(_, quote: string, rest: string) => `(globalThis.${baseVariable}+${quote}${rest}${quote})`
	);
}

/** The page of a lesson, two folders below the package. Its policy has hashes of its scripts. */
function lessonPage(page: string, { title }: { readonly title: string }, edition: ScormEdition): string {
	const variable = `globalThis.${baseVariable} = new URL('../..', location.href).pathname.replace(/\\/$/, '');`;
	let written = page;
	for (const [, script = ''] of page.matchAll(/<script>([^]*?)<\/script>/g)) {
		const relative = withVariable(script.replaceAll(`${basePlaceholder}/`, '../../'));
		written = written.replace(script, () => relative).replaceAll(hashOf(script), hashOf(relative));
	}
	return written
		.replaceAll(`${basePlaceholder}/`, '../../')
		.replace('<html lang="en">', `<html lang="en" data-scorm="${edition}">`)
		.replace('<head>', () => `<head><script>${variable}</script>`)
		.replace(headPlaceholder, () => html`<title>${title}</title><link rel="icon" href="../../favicon.svg">`.html);
}

function hashOf(script: string): string {
	return createHash('sha256').update(script).digest('base64');
}

/** What a package contains. */
export type ScormPackage = {
	readonly title: string;
	readonly edition: ScormEdition;
	/** In their order. Each has its own status and score. */
	readonly lessons: readonly { readonly id: string; readonly title: string; readonly path: string }[];
	/** The paths of what they share. */
	readonly files: readonly string[];
};

const namespaces: Readonly<Record<ScormEdition, Html>> = {
	'SCORM 1.2': html`xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
	xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"
	xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
	xsi:schemaLocation="http://www.imsproject.org/xsd/imscp_rootv1p1p2 imscp_rootv1p1p2.xsd http://www.adlnet.org/xsd/adlcp_rootv1p2 adlcp_rootv1p2.xsd"`,
	'SCORM 2004': html`xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"
	xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3"
	xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
	xsi:schemaLocation="http://www.imsglobal.org/xsd/imscp_v1p1 imscp_v1p1.xsd http://www.adlnet.org/xsd/adlcp_v1p3 adlcp_v1p3.xsd"`
};

/** The attribute that says what a course system starts. The editions differ in one letter. */
const typeAttributes: Readonly<Record<ScormEdition, Html>> = {
	'SCORM 1.2': html`adlcp:scormtype`,
	'SCORM 2004': html`adlcp:scormType`
};
const versions: Readonly<Record<ScormEdition, Html>> = {
	'SCORM 1.2': html`1.2`,
	'SCORM 2004': html`2004 3rd Edition`
};

/** The file `imsmanifest.xml` of a package: its lessons as items, and all files as resources. */
export function scormManifest({ title, edition, lessons, files }: ScormPackage): string {
	const type = typeAttributes[edition];
	const items = lessons.map(
		({ id, title }) => html`
			<item identifier="item-${id}" identifierref="lesson-${id}"><title>${title}</title></item>`
	);
	const resources = lessons.map(
		({ id, path }) => html`
		<resource identifier="lesson-${id}" type="webcontent" ${type}="sco" href="${path}">
			<file href="${path}"/>
			<dependency identifierref="shared"/>
		</resource>`
	);
	const shared = files.map(
		(path) => html`
			<file href="${path}"/>`
	);
	return html`<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="tollgate-course" version="1" ${namespaces[edition]}>
	<metadata>
		<schema>ADL SCORM</schema>
		<schemaversion>${versions[edition]}</schemaversion>
	</metadata>
	<organizations default="course">
		<organization identifier="course">
			<title>${title}</title>${items}
		</organization>
	</organizations>
	<resources>${resources}
		<resource identifier="shared" type="webcontent" ${type}="asset">${shared}
		</resource>
	</resources>
</manifest>
`.html;
}
