import { html, type Html } from '#lib/html.ts';
import type { ScormEdition } from '#course/embed/scorm-run-time.ts';

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
