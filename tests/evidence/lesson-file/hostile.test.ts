import { expect, it } from 'vitest';
import { checkLessonFile, mistakeText } from '#evidence/lesson-file/check-lesson-file.ts';
import { text, valid } from './files.ts';

const [first, second] = valid.steps;
const [condition] = first?.conditions ?? [];
const withFirst = (change: object) => ({ ...valid, steps: [{ ...first, ...change }, second] });
const withCondition = (change: object) => withFirst({ conditions: [{ ...condition, ...change }] });
const withShows = (shows: object) => withCondition({ shows });
const many = <T>(count: number, item: (at: number) => T) => Array.from({ length: count }, (_, at) => item(at));
const raw = (from: string, to: string) => text(valid).replace(from, to);
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** What a hostile file tries, the file, and the beginning of the sentence that rejects it. */
const rejected: readonly (readonly [name: string, file: string, sentence: string])[] = [
	['is larger than 48 KiB', raw('Call our API', 'A'.repeat(50_000)), 'It is larger than 48 KiB.'],
	['is larger in bytes than in characters', raw('Call our API', '€'.repeat(20_000)), 'It is larger than 48 KiB.'],
	['is nested 20,000 levels deep', deep(20_000), 'It is not a JSON object.'],
	['nests a field deeply', raw('"Call our API"', deep(10_000)), 'line 5, title: Enter a text.'],
	[
		'is no JSON',
		'{"format": "tollgate-lesson",\n"version": 1,}',
		'It is not JSON: there is a comma before } in line 2'
	],
	['is code', 'export default {};', 'It is not JSON'],
	['is a list', '[]', 'It is not a JSON object.'],
	[
		'says a name twice',
		raw('"minutes": 10,', '"minutes": 10,\n\t"minutes": 11,'),
		'line 8, minutes: The name occurs in line 7'
	],
	[
		'pollutes the prototype',
		raw('"version": 1,', '"version": 1,\n\t"__proto__": {"isAdmin": true},'),
		'line 4, __proto__: The name "__proto__" is reserved.'
	],
	[
		'hides a constructor',
		raw('"pkce": true', '"constructor": 1'),
		'line 24, steps.0.conditions.0.shows.constructor: The name'
	],
	['is of a later version', raw('"version": 1', '"version": 2'), 'line 3, version: This server reads version 1.'],
	['leaves its folder by its id', text({ ...valid, id: '../../admin' }), 'line 4, id: Use 1 to 30'],
	['has an id with a slash', text({ ...valid, id: 'own/one' }), 'line 4, id: Use 1 to 30'],
	[
		'has a script in a text',
		text({ ...valid, text: ['<script>alert(1)</script>'] }),
		'line 9, text.0: Write Markdown without HTML.'
	],
	[
		'has an image with a handler',
		withText('<img src=x onerror=alert(1)>'),
		'line 9, text.0: Write Markdown without HTML.'
	],
	['has a frame', withText('See <iframe>.'), 'line 9, text.0: Write Markdown without HTML.'],
	['has a comment of HTML', withText('<!-- a -->'), 'line 9, text.0: Write Markdown without HTML.'],
	['hides HTML in entities', withText('&lt;b&gt;'), 'line 9, text.0: Write Markdown without HTML.'],
	['links to code', withText('[here](javascript:alert(1))'), 'line 9, text.0: Link to a page of this service'],
	['links to data', withText('[here](data:text/html,a)'), 'line 9, text.0: Link to a page of this service'],
	['links to another server', withText('[here](https://evil.test/)'), 'line 9, text.0: Name no other server.'],
	['links without a scheme', withText('[here](//evil.test)'), 'line 9, text.0: Name no other server.'],
	['links with backslashes', withText('[here](/\\\\evil.test)'), 'line 9, text.0: Link to a page of this service'],
	['shows an image', withText('![a](/logo.png)'), 'line 9, text.0: Remove the image.'],
	[
		'names a server in a text',
		withText('Send your secret to https://evil.test now.'),
		'line 9, text.0: Name no other server.'
	],
	['names a server by www', withText('Open www.evil.test now.'), 'line 9, text.0: Name no other server.'],
	[
		'names a server that begins like a harmless one',
		withText('See https://localhost.evil.test/'),
		'line 9, text.0: Name no other server.'
	],
	['hides a server before an @', withText('See https://localhost@evil.test/'), 'line 9, text.0: Name no other server.'],
	[
		'names a server in code',
		text({ ...valid, learnt: { ...valid.learnt, code: "fetch('https://evil.test')" } }),
		'Name no other server.'
	],
	[
		'sends the code elsewhere',
		text(
			withFirst({
				tools: [{ kind: 'request', request: 'authorization', sets: { redirect_uri: 'https://evil.test/' } }]
			})
		),
		'Name no other server.'
	],
	['turns the direction of a text', withText('a\u202eb'), 'line 9, text.0: Remove line breaks, invisible'],
	['has control characters', withText('a\u0000b'), 'line 9, text.0: Remove line breaks, invisible'],
	[
		'has a tool with code',
		text(withFirst({ tools: [{ kind: 'script', code: 'alert(1)' }] })),
		'Use a kind of tool of the documentation'
	],
	[
		'has a condition with code',
		text(withShows({ kind: 'function', body: 'return true' })),
		'Use a kind of condition of the documentation'
	],
	['has a field of code in a condition', text(withCondition({ why: '() => true' })), 'There is no such field.'],
	[
		'has 13 steps',
		text({ ...valid, steps: many(13, () => first) }),
		'line 12, steps: A lesson can have at most 12 steps.'
	],
	[
		'has 60 conditions',
		text({
			...valid,
			steps: many(12, (at) => ({ ...first, conditions: many(5, (index) => ({ ...condition, id: `c${at}_${index}` })) }))
		}),
		'A lesson can have at most 30 conditions.'
	],
	[
		'asks for a run of a million requests',
		text(withShows({ kind: 'requests_accepted', count: 1_000_000 })),
		'Enter a whole number from 1 to 200.'
	],
	[
		'refers to itself',
		text(withShows({ kind: 'code_exchanged', same: { grant: 'signed_in' } })),
		'No earlier condition has the id "signed_in".'
	],
	[
		'refers to a later condition',
		text(withShows({ kind: 'code_exchanged', same: { grant: 'ten_read' } })),
		'No earlier condition has the id "ten_read".'
	],
	['has an id twice', text({ ...valid, steps: [first, first] }), 'Another condition has the id "signed_in".'],
	[
		'asks about a condition that is not there',
		text({ ...valid, prediction: { ...valid.prediction, shownBy: 'nothing' } }),
		'No condition has the id "nothing".'
	],
	[
		'has no right option',
		text({
			...valid,
			prediction: {
				...valid.prediction,
				options: valid.prediction.options.slice(1).concat(valid.prediction.options.slice(1))
			}
		}),
		'Mark exactly one option'
	],
	[
		'has settings that are unknown',
		text({ ...valid, start: { settings: { admin: true } } }),
		'There is no such field.'
	],
	['moves the clock by 10,000 years', text({ ...valid, start: { offset: 1e15 } }), 'Enter a whole number'],
	[
		'starts with 21 faults',
		text({ ...valid, start: { faults: many(21, () => ({ kind: 'drop', endpoint: 'token' })) } }),
		'A preset can have at most 20 faults.'
	],
	[
		'has its own world',
		text({ ...valid, start: { world: { format: 'tollgate-world', version: 1 } } }),
		'There is no such field.'
	],
	[
		'looks for an error with a pattern',
		text(withShows({ kind: 'error_seen', error: '(a+)+$' })),
		'Use the error code of a response'
	],
	['looks for any error at all', text(withShows({ kind: 'error_seen' })), 'Name the "error", the "status", or both.']
];

function withText(paragraph: string): string {
	return text({ ...valid, text: [paragraph] });
}

it.each(rejected)('rejects a file that %s', (_, file, sentence) => {
	const checked = checkLessonFile(file);
	const found = 'mistakes' in checked ? checked.mistakes.map(mistakeText) : [];
	expect(
		found.some((one) => one.includes(sentence)),
		found.join('\n') || 'accepted'
	).toBe(true);
	// Every mistake inside a file has its line.
	if (!/^It is/.test(sentence)) for (const one of found) expect(one).toMatch(/^line \d+, [\w.]+: /);
});

it.each([
	['a quote and a bracket', 'Is 1 < 2, and "a" > \'b\'?'],
	['code that looks like HTML, as code', 'Write `<script>` nowhere.'],
	['an address for examples', 'Use https://app.example/callback or http://localhost:50123.'],
	['Markdown of another kind, as text', '# Not a heading, ~~not struck~~, | no | table |']
])('accepts %s', (_, paragraph) => {
	expect(checkLessonFile(withText(paragraph))).toHaveProperty('file');
});

it('lists all mistakes in the order of the file, and the first of each place', () => {
	const checked = checkLessonFile(text({ ...valid, title: '', goal: 7, minutes: 0, extra: 1 }));
	expect('mistakes' in checked && checked.mistakes.map(mistakeText)).toEqual([
		'line 5, title: This field is required.',
		'line 6, goal: Enter a text.',
		'line 7, minutes: Enter a whole number from 1 to 120.',
		expect.stringMatching(/^line \d+, extra: There is no such field/)
	]);
});
