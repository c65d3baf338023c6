import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** The chunks that the static build does not download ahead. Few visitors use them, and they are large. */
const onDemand = [
	{ name: 'search-index', test: /\.md\?index$/, priority: 4 },
	{ name: 'lab-texts', test: /\/content\/labs\/[\w-]+\.yaml$/, priority: 4 },
	{ name: 'exercise-texts', test: /\/content\/exercises\/[\w-]+\.yaml$/, priority: 4 },
	{ name: 'notes', test: /\.yaml\?(?:notes|nearMisses)$/, priority: 4 },
	{ name: 'api-reference', test: /\/content\/docs\/(?:api|control-reference)\.md$/, priority: 4 }
];

/** Pages that are kept from their first visit on: those of providers, of a class, which needs a server, of other sites, of instructors, and of those who make or share something, of labs, and of the exam, which only the demo client can take there. */
const onDemandPages =
	/\/src\/routes\/(?:agents|class|console\/documents|docs\/providers|embed|exam|guide\/presenter|join|labs|limits|learn\/(?:certificate|notes)|providers|share|studio|write)\//;

/** Modules with chunks of their own that the static build does not download ahead either. The documents are for those who run a server, write a client or a lesson, or look a tool up. */
const onDemandModules =
	/\/(?:request-builder\/signer\.ts|har\/providers\/provider-forms\.ts|read-yaml\.ts|Studio\.svelte|BoardView\.svelte|Seat(?:Bar|Block|Strip)\.svelte|bank\.json|content\/providers\/[\w-]+\.yaml|content\/docs\/(?:agents|attacks|class|client-core|control-api|decisions|deployment|embed|exam|exam-command|inspector|lessons|operations|own-lesson|partners|providers|request-builder|scaling|settings|standard-client|testing|traffic|world|write|your-client)\.md)$/;

/** An exercise and its editor, a lab, and the rate limit lab. */
const exercises =
	/\/(?:(?:Agents|Exam|Exercise|Lab|Limits)Stage\.svelte|(?:code|program)-editor\.ts|compile-(?:exercise|lab)\.ts|oauth4webapi\/build\/index\.js\?raw|client\/(?:oauth|rate-limit)\/[\w-]+\.ts\?raw)$/;

/** The tools and the conditions of the lessons that belong to the rate limit lab or to today's standards. */
const rareParts =
	/\/lessons\/(?:conditions\/(?:herd|windows)\.ts|stage\/(?:OpenedProof|tools\/(?:RateLimit|Standard)Tool)\.svelte)$/;

/** Whether a file is such a lesson or its script. */
function isRareLesson(path: string): boolean {
	const [, folder = '', id] =
		/^(.*\/src\/)(?:content\/lessons|course\/lessons\/scripts)\/([\w-]+)\.(?:yaml|ts)$/.exec(path) ?? [];
	if (id === undefined) return false;
	return /kind: limit\b|dialect: standard/.test(readFileSync(join(folder, `content/lessons/${id}.yaml`), 'utf8'));
}

/** The styles of components that have such a chunk. */
const onDemandStyles =
	/^(?:Studio|BoardView|Seat(?:Bar|Block|Strip)|QrCode|(?:Agents|Exam|Exercise|Lab|Limits)Stage|BrowserWindow|SeenTable|RateLimitTool|StandardTool|OpenedProof|TaskFrame|FleetOfClass|WallFleet|shown-figures|TimeLabels|playback|RunCharts|FleetLayout|FleetTables|Fleet|Limiters|ChangeLimiters|RequestPanel|StreamTable|LabFrame|EmbedDemo|EmbedFrame|ClassCode|NamesDialog|LessonEditor|NotesSheet|DropTarget|ForeignTraffic|program-text|Certificate)\.css$/;

/** What only such chunks share. */
const onDemandShared =
	/\/node_modules\/uqr\/|\/src\/(?:api\/checks\.ts$|content\/(?:findings\/|labs\/|rules\/[\w-]+\.yaml\?har)|ui\/display\/QrCode\.svelte|service\/(?:assemble-service|pages\/page)\.ts|evidence\/(?:agents\/(?!agent-rules)|har\/(?!har-reading|json-fields|jwt-claims)|lesson-file\/check-lesson-file\.ts)|features\/(?:agents\/|providers\/(?!provider-files))|hosts\/browser\/parse-world\.ts|service\/world\/read-world\.ts|features\/docs\/(?:load-)?provider-page\.ts|features\/inspector\/exchange\/SurprisePanel\.svelte|course\/class\/(?:board\/|fleet\/|open\/|ClassStates\.svelte|model\/(?:board|real-names))|(?:course\/lessons\/(?:file\/LessonEditor|notes\/NotesSheet)|features\/studio\/ValueField)\.svelte|features\/(?:traffic\/|studio\/file-parts\.ts)|service\/limits\/algorithms\.ts|hosts\/page\/|exam\/(?:attacker-probe-list|browser|cookie-jar|page-forms|page-operation|probe-list)\.ts|course\/(?:list\/|embed\/|write\/(?:engine\/|exercises\/|shared\/|model\/write-progress\.ts|share\/)|labs\/|limits\/|frame\/(?:BrowserWindow|EmptyPart|LaneArrow|PartHead|SeenTable|StageTabs|TaskFrame|progress-store|seen-row|shown-text)\.))/;

/** The service in a page, which exercises, their exam and labs share: pages that are downloaded ahead do not need it. */
const ofService =
	/\/src\/(?:api\/checks\.ts$|content\/checks\/[\w-]+\.yaml\?about$|content\/providers\/(?!s(?:pecification|tandard)\.)[\w-]+\.yaml\?dialect$)|\/src\/(?:service|store|hosts|course\/(?:labs|limits|write)\/engine)\/|\/node_modules\/(?:@jridgewell|@noble|acorn|jose|lines-and-columns|sucrase|ts-interface-checker)\//;

/** Names the files of the chunks that are not downloaded ahead, so that the service worker recognizes them. */
export function onDemandChunks(): Plugin {
	return {
		name: 'tollgate-on-demand-chunks',
		applyToEnvironment: ({ config }) => config.consumer === 'client',
		outputOptions(options) {
			const { chunkFileNames, entryFileNames, assetFileNames } = options;
			if (
				typeof chunkFileNames !== 'string' ||
				typeof entryFileNames !== 'string' ||
				typeof assetFileNames !== 'string'
			)
				return;
			// The service worker lists all of them. Seven letters of base 64 are 4 trillion names. Names of assets are those of the server's build.
			const [nameOf = '', nameOfEntry = ''] = [chunkFileNames, entryFileNames].map((name) =>
				name.replace('[hash]', '[hash:7]')
			);
			const names = new Set(onDemand.map(({ name }) => name));
			const isOnDemand = ({ name, facadeModuleId, moduleIds }: Rolldown.PreRenderedChunk) =>
				names.has(name) ||
				onDemandModules.test(facadeModuleId ?? '') ||
				exercises.test(facadeModuleId ?? '') ||
				rareParts.test(facadeModuleId ?? '') ||
				isRareLesson(facadeModuleId ?? '') ||
				moduleIds.some((id) => onDemandShared.test(id));
			const nameOfChunk = (chunk: Rolldown.PreRenderedChunk) =>
				isOnDemand(chunk) ? nameOf.replace('[hash:7]', 'on-demand.[hash:7]') : nameOf;
			const nameOfPage = ({ moduleIds }: Rolldown.PreRenderedChunk) =>
				moduleIds.some((id) => onDemandPages.test(id))
					? nameOfEntry.replace('[name].[hash:7]', 'nodes/on-demand.[hash:7]')
					: nameOfEntry;
			const nameOfFile = ({ names }: Rolldown.PreRenderedAsset) =>
				onDemandStyles.test(names[0] ?? '')
					? assetFileNames.replace('[name].[hash]', 'on-demand.[hash]')
					: assetFileNames;
			return {
				...options,
				chunkFileNames: nameOfChunk,
				entryFileNames: nameOfPage,
				assetFileNames: nameOfFile
			};
		}
	};
}

/**
 * The files that pages share. Most visitors see the front page, the viewer and the list of lessons: the first file has what every page
 * and the front page need, the second what both the viewer and the strip at the bottom of the pages need besides, the next three what
 * the strip, the viewer and the list share with other pages, the last ones what at least four other pages share.
 * @param root the project's folder
 */
export function pageChunks(root: string): Rolldown.CodeSplittingGroup[] {
	const route = (path: string) => join(root, 'src/routes', path);
	const shell = [route('+layout.svelte'), route('+page.svelte')];
	const strip = [join(root, 'src/features/inspector/strip/InspectorStrip.svelte')];
	const viewer = [route('viewer/+page.svelte')];
	const learn = [route('learn/+page.svelte')];
	return [
		...onDemand,
		{ name: importedBy('shell', shell), minShareCount: 2, priority: 3 },
		{ name: importedBy('messages', strip, viewer), priority: 2 },
		{ name: importedBy('strip', strip), priority: 1 },
		// Most pages need some of these, and few the rest of the viewer.
		{
			name: importedBy('viewer-ui', viewer),
			test: /\/src\/(?:ui|features\/shell)\/|virtual:icon/,
			minShareCount: 2,
			priority: 1
		},
		{ name: importedBy('viewer', viewer), minShareCount: 2, priority: 1 },
		{ name: 'exam', test: /\/src\/exam\/response-(?:body|form)\.ts$/, priority: 2 },
		// Pages of the inspector and the request builder need the list of providers, and few the rest.
		{
			name: 'providers',
			test: /\/src\/(?:features\/providers\/provider-files\.ts|content\/providers\/[\w-]+\.yaml\?about)$/,
			priority: 2
		},
		// Pages of limits need these, and nothing else of what imports them.
		{
			name: 'limits',
			test: /\/src\/(?:api\/(?:limit-algorithm|retry-policy)|evidence\/entry-memo|lib\/map-values)\.ts$/,
			priority: 4
		},
		// Every page needs the names, to know which addresses exist.
		{ name: 'doc-names', test: /\/src\/features\/docs\/doc-names\.ts$/, priority: 2 },
		// No components: SvelteKit leaves the styles of a file out of a page where a file on demand imports it, too.
		{ name: importedBy('learn', learn), test: /\.ts$/, minShareCount: 2 },
		...layers.map(([name, test]): Rolldown.CodeSplittingGroup => ({
			name: `shared-${name}`,
			minShareCount: 4,
			test: (id) => test.test(id) && !ofService.test(id) && !onDemandShared.test(id)
		}))
	];
}

/** What at least four other pages share, by layer, lowest first: a page that needs a function of one layer does not load the texts of another, and no file imports one that imports it. */
const layers: readonly (readonly [name: string, modules: RegExp])[] = [
	['lists', /\/src\/(?:content\/exercises\/[\w-]+\.yaml\?about|course\/(?:frame\/listed|write\/exercises)\.ts)$/],
	['packages', /\/node_modules\//],
	[
		'lib',
		/\/src\/(?:lib\/|api\/(?:dialect|limit-algorithm|retry-policy)\.ts$|evidence\/(?:credential-history|entry-memo|rate-limit-headers)\.ts$)/
	],
	['checks', /\/src\/(?:api\/errors|content\/checks\/[\w-]+\.yaml\?logged$)/],
	['fields', /\/src\/api\/protocol\/(?:field-notes|grant-types)\.ts$/],
	['api', /\/src\/(?:api|store)\//],
	['client', /\/src\/client\//],
	['evidence', /\/src\/evidence\/(?!agents\/|all-rules|judge|rule-explanations|rules|signals\/)/],
	['rules', /\/src\/(?:evidence\/(?!rule-explanations)|content\/(?:rules|findings)\/[\w-]+\.yaml\?)/],
	['ui', /\/src\/ui\/|virtual:icon/],
	['shell', /\/src\/features\/shell\//],
	['inspector', /\/src\/features\/inspector\/(?!compare-exchanges|exchange\/|explain-failure|resend)/],
	['explanations', /\/content\/checks\/[\w-]+\.yaml$|\/features\/inspector\/explain-failure\.ts$/],
	['exchange', /\/src\/features\/inspector\//],
	['request', /\/src\/(?:features\/request-builder\/|content\/checks\/[\w-]+\.yaml\?mistakes$)/],
	['course', /\/src\/course\//],
	['pages', /./]
];

/** The name of a file, for every module that one of each list imports, directly or through others. */
function importedBy(name: string, ...lists: readonly (readonly string[])[]): Rolldown.CodeSplittingNameFunction {
	let found: readonly ReadonlySet<string>[] | undefined;
	return (id, context) => {
		found ??= lists.map((importers) => importsOf(importers, context));
		return found.every((modules) => modules.has(id)) ? name : null;
	};
}

function importsOf(importers: readonly string[], context: Rolldown.ChunkingContext): ReadonlySet<string> {
	const found = new Set(importers);
	// A set can grow while it is iterated.
	for (const importer of found)
		for (const imported of context.getModuleInfo(importer)?.importedIds ?? []) found.add(imported);
	return found;
}
