import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readYaml } from '#lib/file/read-yaml.ts';
import { textsOf, unknownPlaceholder, withNumbers } from '#evidence/lesson-file/numbers.ts';
import { readContent } from '#tooling/vite/content-kinds.ts';

const folder = 'src/content/lessons';

it('a text has the numbers of its settings, and sums of them', () => {
	const start = { settings: { limits: { character: 5, window: 10 } } };
	const text = '{limit} requests in {window}, request {limit+1}, {burst-limit} of {burst}, {ratelimits}, {brand}';
	expect(withNumbers({ start, text }).text).toBe('5 requests in 10 seconds, request 6, 15 of 20, 150, {brand}');
	expect(withNumbers({ start, help: { call: '{limit}' } }).help.call).toBe('{limit}');
});

it('knows a placeholder without a value, and leaves JSON alone', () => {
	expect(unknownPlaceholder('{limit-cost-1} {"name":"Mara Vell"} {curl}')).toBeUndefined();
	expect(unknownPlaceholder('{limt}')).toBe('{limt}');
	expect(unknownPlaceholder('{limit+window}')).toBe('{limit+window}');
});

it('an unknown placeholder ends the build, with its line', () => {
	const text = readFileSync(`${folder}/cost.yaml`, 'utf8').replace('goal: ', 'goal: Up to {limt}. ');
	const read = readContent('lessons', 'lesson', { read: () => text, ids: ['lesson'] });
	expect('mistakes' in read && read.mistakes[0]).toMatchObject({ line: 2, place: 'goal', reason: /Found \{limt\}/ });
});

/** What no run and no setting decides: names, versions, status codes, places in the lesson, and zero. */
const fixed = [
	/\{[^}]*\}|\/[\w/.]+|192\.0\.2\.\d+|oauth:2\.0|\*\*Move 2 hours ahead\*\*/g,
	/RFC \d+|OAuth 2\.\d|S256|ES256|private_key_jwt|IPv\d/g,
	/\b[2-5]\d\d\b(?! requests)/g,
	/[Ss]teps? \d+/g,
	/\b(?:code|token) [12]\b/g,
	/100% Orc|test-\w+|`\d{4,5}`|[Ll]oad 20 (?:at once|in turn)/g,
	/Remaining: 0\b/g
];
/** Number words. One and two, which most texts only compare by, are none. */
const words = 'three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred';
const numberWord = new RegExp(
	`\\b(?:${words}|dozens?)\\b|\\b(?:two|half) of (?:them|two|${words})\\b|\\btwice the limit\\b`,
	'i'
);
/** What a condition or a tool of the same lesson demands, a fixture and a fact. No run changes them. */
const demanded = [
	/player-three|takes three seconds|three parties|three providers|ten digits/gi,
	/at least ten clients|(?:more than|at most) seven in one second|up to ten seconds/gi,
	/four or more requests|at least four requests|(?:fewer than )?five characters|Read five/gi,
	/(?:last|within) ten minutes|so twice the limit fits|Where does twice the limit hurt/gi
];
/** Parts that are no texts. */
const noText = /(?:^|\.)(?:sections|id|askedIn|sets|kind|name|condition|checks|shows|address|chapter)(?:\.|$)/;

it.each(readdirSync(folder))('%s has no typed number where a setting or the run decides', (file) => {
	const read = readYaml(readFileSync(`${folder}/${file}`, 'utf8'));
	const typed = textsOf('content' in read ? read.content : {}).filter(
		({ place, text }) => !noText.test(place) && /\d/.test(fixed.reduce((left, one) => left.replace(one, ''), text))
	);
	expect(typed).toEqual([]);
});

it.each(readdirSync(folder))('%s has no number word where a setting or the run decides', (file) => {
	const read = readYaml(readFileSync(`${folder}/${file}`, 'utf8'));
	const typed = textsOf('content' in read ? read.content : {}).filter(
		({ place, text }) =>
			!noText.test(place) && numberWord.test(demanded.reduce((left, one) => left.replace(one, ''), text))
	);
	expect(typed).toEqual([]);
});

it('finds a figure of a run that is written as a word', () => {
	for (const text of [
		'Twenty requests get 401.',
		'The service accepted two of three.',
		'The burst of six minutes before'
	])
		expect(numberWord.test(text), text).toBe(true);
	for (const text of ['Poll twice.', 'Which of the two was it?']) expect(numberWord.test(text), text).toBe(false);
});
