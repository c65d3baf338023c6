// Which files may import which. oxlint.config.js and eslint.config.js read it.

/** @param {string} text groups of names, lowest first */
const ranksOf = (text) => text.split(' < ').map((names) => names.split(' '));

/** The layers directly under src/, lowest first: an import may only point at a lower rank. */
const ranks = ranksOf(
	'content lib < api < evidence < store < service < client < exam < hosts < ui < features < course < routes < tooling'
);
const layers = ranks.flat();
const hosts = ['node', 'kit', 'browser', 'library'];
/** Code that hosts share. It imports no host. */
const sharedByHosts = ['tls', 'msw', 'page'];

/** The folders of src/service, lowest first. An import of a value points at a lower rank, or at its own folder. Types are free. */
const serviceRanks = ranksOf(
	'core < limits traffic < sandbox < address < pause world pages < checks < access < class identity < token < authorization < resource account < control metadata < openapi'
);

/** The folders of src/features, lowest first. An import points at a lower rank, or at its own folder. */
const featureRanks = ranksOf(
	'shell < viewer inspector < controls request-builder studio < share console < exam home docs standards agents < traffic'
);

/**
 * The folders of src/course, lowest first: the frame knows no kind of task, and no kind knows another. The list of all tasks, classes
 * and embedded pages show several kinds.
 */
const courseRanks = ranksOf('frame < lessons labs write limits < list < class embed');

/** The layers that know no host. Clock, randomness, digest and base URL are passed in. */
export const pure = ['lib', 'api', 'evidence', 'store', 'service'];

/** @typedef {{ regex: string, message: string, allowTypeImports?: boolean }} Ban */

/** @param {readonly string[]} names @returns {Ban} */
const across = (names) => ({
	regex: String.raw`^(\.\./)+(${names.join('|')})/`,
	message: 'Across layers write #layer/file.ts.'
});

/** @type {Ban[]} */
const everywhere = [
	across(layers),
	{ regex: String.raw`^\$lib(/|$)`, message: 'There is no $lib: write #layer/file.ts.' },
	{
		regex: String.raw`^(\.{1,2}|#[a-z]+)/(?!.*\.(ts|js|svelte|css|lua|json|md|svg|png|txt|woff2)(\?[a-z]+)?$)(?!(.*/)?\$types$)`,
		message: 'A path includes the extension: ./file.ts.'
	}
];

/** @type {Ban} */
const kitOnly = {
	regex: String.raw`^\$(app|env)/`,
	message: '$app/* and $env/* stay in routes/, features/shell/ and hooks.*. Components get the page by getPage().'
};

/** @type {Ban} */
const noNode = { regex: '^node:', message: 'Only a host on Node, and files called *.server.ts, know Node.' };

/**
 * The names that do not have a lower rank than a name.
 * @param {string[][]} order
 * @param {string} name
 */
function notBelow(order, name) {
	const same = order.findIndex((names) => names.includes(name));
	return order.slice(same).flatMap((names) => names.filter((other) => other !== name));
}

/**
 * What the files of a layer must not import.
 * @param {string} layer
 * @returns {Ban[]}
 */
function bansOf(layer) {
	const barred =
		layer === 'client' ? layers.filter((name) => !/^(lib|api|evidence|client)$/.test(name)) : notBelow(ranks, layer);
	const bans = [...everywhere];
	if (barred.length > 0) {
		bans.push({ regex: `^#(${barred.join('|')})/`, message: `${layer} must not know this layer: imports point down.` });
	}
	bans.push({ regex: `^#${layer}/`, message: 'Inside a layer write ./file.ts.' });
	if (layer !== 'routes') bans.push(kitOnly);
	if (pure.includes(layer)) {
		bans.push(noNode, { regex: '^(svelte|@sveltejs|msw)(/|$)', message: `${layer} knows no host.` });
	}
	return bans;
}

/**
 * The bans of a layer for its folders, some of which have the name of a layer.
 * @param {Ban[]} bans
 * @param {string[][]} folders
 */
function amongFolders(bans, folders) {
	const others = across(layers.filter((name) => !folders.flat().includes(name)));
	return [...bans.filter((ban) => ban !== everywhere[0]), others];
}

/**
 * Allows imports of oauth4webapi and of paths that match a pattern only.
 * @param {string} allowed regular expression of the start of a path
 * @returns {Ban}
 */
function copyable(allowed) {
	const message = 'The client core is copied into other projects: it imports oauth4webapi and itself only.';
	return { regex: `^(?!${allowed}|oauth4webapi$)`, message };
}

/**
 * What the files of a folder of src/service must not import.
 * @param {string} folder
 * @param {number} depth of the files: 1 directly in the folder, 2 in a folder of it
 * @returns {Ban[]}
 */
function bansOfService(folder, depth) {
	const regex = String.raw`^(?:\.\./){${depth}}(?:(?:${notBelow(serviceRanks, folder).join('|')})/|[a-z-]+\.ts$)`;
	const message = `Of the folders of src/service, ${folder} must not know this one: imports of values point down.`;
	return [...amongFolders(bansOf('service'), serviceRanks), { regex, message, allowTypeImports: true }];
}

/**
 * What the files of a folder of src/features or src/course must not import.
 * @param {string} layer
 * @param {string[][]} order of its folders
 * @param {string} folder
 * @returns {Ban[]}
 */
function bansOfPages(layer, order, folder) {
	const regex = String.raw`^(\.\./)+(${notBelow(order, folder).join('|')})/`;
	// The shell is the feature that knows SvelteKit.
	const bans = bansOf(layer).filter((ban) => folder !== 'shell' || ban !== kitOnly);
	return [
		...amongFolders(bans, order),
		noNode,
		{ regex, message: `${folder} must not know this folder: imports point down.` }
	];
}

/**
 * What the files of the project must not import, by `import`, `export from` and `import()`. Of the entries that a file matches,
 * the last counts.
 * @type {{ files: string[], excludeFiles?: string[], bans: Ban[] }[]}
 */
export const importBans = [
	{ files: ['src/**'], bans: [...everywhere, kitOnly] },
	...layers.map((layer) => ({ files: [`src/${layer}/**`], bans: bansOf(layer) })),
	...serviceRanks.flat().flatMap((folder) => [
		{ files: [`src/service/${folder}/*`], bans: bansOfService(folder, 1) },
		{ files: [`src/service/${folder}/*/*`], bans: bansOfService(folder, 2) }
	]),
	...[...hosts, ...sharedByHosts].map((host) => ({
		files: [`src/hosts/${host}/**`],
		bans: [
			...bansOf('hosts'),
			...(host === 'browser' ? [noNode] : []),
			{
				regex: String.raw`^\.\./(${hosts.filter((other) => other !== host).join('|')})/`,
				message: 'A host knows no other host.'
			}
		]
	})),
	...['client', 'ui'].map((layer) => ({
		files: [`src/${layer}/**`],
		excludeFiles: ['**/*.server.ts'],
		bans: [...bansOf(layer), noNode]
	})),
	...Object.entries({ features: featureRanks, course: courseRanks }).flatMap(([layer, order]) =>
		order.flat().map((folder) => ({ files: [`src/${layer}/${folder}/**`], bans: bansOfPages(layer, order, folder) }))
	),
	// Developers copy these two folders into their own projects.
	{ files: ['src/client/oauth/**'], bans: [copyable(String.raw`\./`)] },
	{ files: ['src/client/rate-limit/**'], bans: [copyable(String.raw`\./|\.\./oauth/`)] },
	{
		files: ['src/routes/**'],
		excludeFiles: ['**/*.server.ts', '**/+server.ts'],
		bans: [...bansOf('routes'), noNode]
	},
	{ files: ['src/hooks.*'], bans: everywhere },
	{ files: ['tests/**'], bans: everywhere.slice(1) }
];

/**
 * @param {Ban[]} bans
 * @returns {import('eslint').Linter.RulesRecord}
 */
export function importRules(bans) {
	return { 'tollgate/imports': ['error', bans] };
}
