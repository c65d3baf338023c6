// `npm run lint` runs this: it finds private names and stilted English in code, texts, tests and file names.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Each banned word or phrase, and what to write instead. A word also counts as a part of a camelCase name. */
const banned = new Map([
	['anew', 'again'],
	['answer', 'response, respond'],
	['answered', 'responded, returned'],
	['answers', 'responses'],
	['anybody', 'any user, any client'],
	['as they are', 'unchanged'],
	['at the most', 'at most'],
	['behaviour', 'behavior'],
	['behaviours', 'behaviors'],
	['bell', 'subscribe, notify'],
	['by itself', 'automatically'],
	['by themselves', 'automatically'],
	['cancelled', 'canceled'],
	['centre', 'center'],
	['centres', 'centers'],
	['colour', 'color'],
	['coloured', 'colored'],
	['colours', 'colors'],
	['desk', 'tab state'],
	['drawer', 'session storage'],
	['everybody', 'all users'],
	['gate', 'check'],
	['gates', 'checks'],
	['gave way', 'was evicted'],
	['give way', 'is evicted'],
	['gives way', 'is evicted'],
	['hammer', 'load test'],
	['hammering', 'load test'],
	['hush', 'no response'],
	['journal', 'event log'],
	['judgement', 'judgment'],
	['judgements', 'judgments'],
	['keeper', 'token manager'],
	['labelled', 'labeled'],
	['ledger', 'rate limit tracker'],
	['lent', 'passed in'],
	['manners', 'rate limit behavior'],
	['neighbour', 'neighbor'],
	['neighbours', 'neighbors'],
	['nobody', 'no user, no client'],
	['normalise', 'normalize'],
	['normalised', 'normalized'],
	['normalises', 'normalizes'],
	['now and then', 'how often'],
	['of its own', 'its own, a separate'],
	['people', 'users'],
	['person', 'user'],
	['persons', 'users'],
	['recognise', 'recognize'],
	['recognised', 'recognized'],
	['recognises', 'recognizes'],
	['refusal', 'rejection'],
	['refuse', 'reject'],
	['refused', 'rejected'],
	['refuses', 'rejects'],
	['refusing', 'rejecting'],
	['shelf', 'storage'],
	['silence', 'no response'],
	['so many from', 'the number of'],
	['so many milliseconds', 'the number of milliseconds'],
	['so many seconds', 'the number of seconds'],
	['somebody', 'a user, a client'],
	['someone', 'a user, a client'],
	['stand', 'is, applies'],
	['stands', 'is, appears, applies'],
	['stood', 'was'],
	['stranger', 'untrusted input, unknown client'],
	['strangers', 'unknown clients'],
	['take away', 'revoke'],
	['takes away', 'revokes'],
	['told', 'shown, reported'],
	['towards', 'toward'],
	['travelled', 'traveled'],
	['what became of', 'the result of'],
	['where absent', 'Default: the value'],
	['where there are none', 'if there are none'],
	['where there is none', 'if there is none'],
	['whoever', 'the user who, the client that'],
	['whom', 'the user that'],
	['wiretap', 'logged fetch']
]);

/** Names that programs depend on: values and fields of the API and of stored records, errors of providers, a key of Redis, a search word. */
const exempt =
	/['"`]everybody['"`]|blacklist_after_refused|few_refused|refused_exchange|['"`]refused['"`]|\brefused:|\.refused\b|\('labelled'\)|user_cancelled_|\/accounts\/answer\/|'colour color'/g;

const root = fileURLToPath(new URL('../..', import.meta.url));
const places = [
	'src',
	'tests',
	'README.md',
	'CHANGELOG.md',
	'.github',
	'vite.config.ts',
	'svelte.config.js',
	'eslint.config.js',
	'oxlint.config.js',
	'package.json'
];
const textFile = /\.(ts|js|svelte|css|html|md|json|ya?ml|conf)$/;
const self = fileURLToPath(import.meta.url);

/** @type {string[]} */
const findings = [];
for (const place of places) for (const file of filesIn(join(root, place))) check(file);
for (const finding of findings) console.error(finding);
if (findings.length > 0) {
	console.error(
		`\n${String(findings.length)} banned words. The table in ${relative(root, self)} names the replacements.`
	);
	process.exitCode = 1;
}

/**
 * @param {string} path of a file or folder
 * @returns {string[]} the text files at or below it
 */
function filesIn(path) {
	if (textFile.test(path)) return [path];
	return readdirSync(path, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && textFile.test(entry.name))
		.map((entry) => join(entry.parentPath, entry.name));
}

/** @param {string} file absolute path */
function check(file) {
	if (file === self) return;
	const name = relative(root, file);
	report(name, name);
	const lines = readFileSync(file, 'utf8').split('\n');
	for (const [index, line] of lines.entries()) report(`${name}:${String(index + 1)}`, line);
}

/**
 * @param {string} place to name in the finding
 * @param {string} text
 */
function report(place, text) {
	const words = ` ${text
		.replaceAll(exempt, '')
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z]+/)
		.join(' ')} `;
	for (const [word, instead] of banned) {
		if (words.includes(` ${word} `)) findings.push(`${place}  "${word}": write ${instead}`);
	}
}
