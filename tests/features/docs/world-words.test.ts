import { expect, test } from 'vitest';
import { readWorld } from '#service/world/read-world.ts';
import { toPublicWorld } from '#service/world/world.ts';
import { wordsOf } from '#client/world-words.ts';
import type { World } from '#client/world.ts';
import { docPages } from '#features/docs/doc-pages.ts';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import { demoWorld } from '../../client/demo-world.ts';
import bank from '../../worlds/bank.json' with { type: 'json' };
import hospital from '../../worlds/hospital.json' with { type: 'json' };

const [ofBank, ofHospital] = [worldOf(bank), worldOf(hospital)];
const demoWords =
	/(?<![\w-])Tollgate(?![\w-])|player-(?:one|two|three)|Mara(?: |%20)Vell|Tomas d|Zoë|Half(?:\/|%2F)Life|100% Orc|Character Viewer|character-viewer|viewer-secret|Pocket Companion|pocket-companion|companion-secret|character_read|v2\.0\/character|\b(?:a|the|each|every|any|one|no|No|reads|accounts,|for|permissions and) characters?\b(?! (?:<code>)?a-z)/;

// The page about world files names what the demo world has.
test.each(docPages.filter(({ name }) => name !== 'world'))(
	'the page $name has no word of the demo world',
	async ({ name }) => {
		const texts = JSON.stringify(await loadDocPage(name));
		for (const world of [ofBank, ofHospital])
			expect(wordsOf(world)(texts).match(new RegExp(`.{0,40}(?:${demoWords.source}).{0,20}`, 'g')) ?? []).toEqual([]);
	}
);

// A world renames the service, and not the program that its operator starts.
test.each(['client-core', 'deployment', 'errors', 'exam-command', 'operations', 'scaling', 'settings', 'testing'])(
	'the page %s, about the program, does not name the brand',
	async (name) => {
		const texts = JSON.stringify(await loadDocPage(name));
		expect(texts.match(/.{0,40}(?<![\w-])Tollgate(?![\w-]).{0,20}/g) ?? []).toEqual([]);
	}
);

test('the demo world keeps its words', () => {
	const text = 'Tollgate, player-one, X-Tollgate-Key';
	expect(wordsOf(demoWorld)(text)).toBe(text);
});

test.each([
	['Read a character. A character has fields.', 'Read an account. An account has fields.'],
	['Reading characters: the <td>Character</td> of a user', 'Reading accounts: the <td>Account</td> of a user'],
	[
		'At most 60 characters, special characters, compared character by character, the first characters, of the characters `a-z`',
		undefined
	],
	['limits.character, "characters", `character`, <code>character</code>, { character: 5 }, character(name)', undefined],
	['permissions, accounts, characters and applications', 'permissions, accounts and applications'],
	['accounts and characters', 'accounts']
])('the noun of %j', (text, expected = text) => {
	expect(wordsOf(ofBank)(text)).toBe(expected);
});

test('names of headers and commands stay, and words are escaped', () => {
	const named = { ...ofBank, brand: { name: 'A & B' } };
	const inWorld = wordsOf(named, (word) => word.replace('&', '&amp;'));
	expect(inWorld('Tollgate reads X-Tollgate-Key of npx tollgate. player-one-more')).toBe(
		'A &amp; B reads X-Tollgate-Key of npx tollgate. player-one-more'
	);
});

function worldOf(file: object): World {
	return toPublicWorld(readWorld(file, { digest: (text) => text }));
}
