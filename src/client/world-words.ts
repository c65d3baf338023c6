import { capitalize, withArticle } from './words.ts';
import { lookupScope, type World } from './world.ts';

/** The words of the demo world in the documentation and the API description, in their order in its file. */
const demo = {
	accounts: ['player-one', 'player-two', 'player-three'],
	permissions: ['character_read', 'location_read', 'inventory_read', 'credits_read', 'character_write'],
	characters: ['Mara Vell', "Tomas d'Arc", 'Zoë Šťastná', 'Half/Life', '100% Orc'],
	viewer: { name: 'Character Viewer', client_id: 'character-viewer', client_secret: 'viewer-secret' },
	companion: { name: 'Pocket Companion', client_id: 'pocket-companion', client_secret: 'companion-secret' }
} as const;

/** What examples show for what a world does not have, or does not publish. */
const placeholders = { name: 'an installed application', client_id: 'YOUR_CLIENT_ID', client_secret: 'YOUR_SECRET' };

/**
 * The noun of the demo world, with its article. Not a character of a text (`60 characters`, `special characters`), and not a name in code
 * (`limits.character`, `"characters"`, `character(name)`).
 */
const noun =
	/(?<![\w`"'(./{#;-]|<code>|\d |\b(?:special|printable|first|eight|by|function|return) )(?:\b(a|A) )?\b(c|C)haracter(s?)\b(?!\(| by | (?:`|<code>)?a-z|[`_/*{-]|:\s*[\d{"'[])/g;

/**
 * A function that puts texts about the demo world into the words of another world: its brand, resources, accounts, permissions and
 * applications. Names of headers, commands and packages stay.
 * @param escape how a word is written in the text: in HTML or JSON
 */
export function wordsOf(world: World, escape: (word: string) => string = (word) => word): (text: string) => string {
	const words = new Map([...wordPairs(world)].filter(([from, to]) => from !== to));
	const { singular, plural } = world.resource;
	const hasNoun = singular !== 'character' || plural !== 'characters';
	if (words.size === 0 && !hasNoun) return (text) => text;
	const longestFirst = [...words.keys()].sort((one, other) => other.length - one.length);
	const names = `(?<![\\w-])(?:${longestFirst.map(escapePattern).join('|')})(?![\\w-])`;
	const pattern = new RegExp([words.size > 0 ? names : [], hasNoun ? noun.source : []].flat().join('|'), 'g');
	// A list that names a noun of ours names it once.
	const twice = new RegExp(`\\b(${escapePattern(escape(plural))})(?:, | and )\\1\\b`, 'g');
	return (text) =>
		text
			.replace(pattern, (found, article?: string, initial?: string, ending?: string) => {
				// Without the noun's groups, the arguments are the position and the whole text.
				if (!hasNoun || initial === undefined) return escape(words.get(found) ?? found);
				const word = ending === 's' ? plural : singular;
				const phrase = article === undefined ? word : withArticle(word);
				return escape(/^[A-Z]/.test(found) ? capitalize(phrase) : phrase);
			})
			.replace(twice, '$1');
}

function* wordPairs(world: World): Generator<[from: string, to: string]> {
	const { brand, resource, accounts, permissions, viewer, companion } = world;
	yield ['Tollgate', brand.name];
	if (resource.path !== undefined) yield ['ws/v2.0/character', `ws/v2.0/${resource.path}`];
	yield* inOrder(
		demo.accounts,
		accounts.map(({ username }) => username),
		'USERNAME'
	);
	const scope = lookupScope(world);
	const scopes = permissions.map((permission) => permission.scope).filter((one) => one !== scope);
	yield* inOrder(demo.permissions, scope === undefined ? [] : [scope, ...scopes], 'PERMISSION');
	for (const [from, to] of inOrder(demo.characters, viewer.shows, 'NAME')) {
		yield [from, to];
		yield [from.replaceAll("'", '&#39;'), to];
		yield [encodeURIComponent(from), encodeURIComponent(to)];
	}
	for (const [words, client = placeholders] of [[demo.viewer, viewer] as const, [demo.companion, companion] as const]) {
		yield [words.name, client.name];
		yield [words.client_id, client.client_id];
		yield [words.client_secret, client.client_secret ?? placeholders.client_secret];
	}
}

/** Each word with that of the same position, or with the first one. */
function* inOrder(from: readonly string[], to: readonly string[], fallback: string): Generator<[string, string]> {
	for (const [at, word] of from.entries()) yield [word, to[at] ?? to[0] ?? fallback];
}

function escapePattern(word: string): string {
	return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
