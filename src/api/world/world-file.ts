import * as v from 'valibot';
import { maxRedirectUris } from '../control/applications.ts';
import { text, username, whole } from '../control/fields.ts';
import { settingsChange } from '../control/settings.ts';
import { siteAreas } from '../site.ts';
import { brand, logo } from './brand.ts';
import { guide } from './guide.ts';
import { kindInFile } from './kinds.ts';
import { ownProviderFile } from './provider.ts';
import { kindLimits } from './record-values.ts';
import { characterFields, fieldName, listOf, plainText, secret } from './world-fields.ts';

/** The most that a world has of each. */
export const worldLimits = { permissions: 50, accounts: 100, characters: 1000, applications: 50 } as const;

const client_id = v.pipe(v.string(), v.regex(/^[\w-]{4,64}$/, 'Use 4 to 64 of the characters A-Z a-z 0-9 _ -.'));

/** The name of a character. */
export const characterName = v.pipe(
	plainText(100),
	v.check((name) => name !== '.' && name !== '..', 'A name that is "." or ".." cannot be part of a path.')
);

/** A permission. A user grants it, and it opens fields of characters. */
export const permissionInFile = v.strictObject({
	scope: v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w.:-]{0,63}$/, 'Use 1 to 64 of the characters A-Z a-z 0-9 _ . : -')),
	title: plainText(80),
	/** What it lets an application do, for the consent page. */
	consent: plainText(200),
	/** The fields that only this permission shows. */
	opens: v.exactOptional(v.pipe(v.array(fieldName), v.maxLength(32))),
	/** Whose characters: those of all users, or only those of the user. */
	of: v.exactOptional(v.picklist(['everybody', 'own'], 'Use "everybody" or "own".'))
});

const account = v.strictObject({
	username,
	name: v.exactOptional(plainText(80)),
	/** Shown on the sign-in and consent pages. No mail is sent. */
	email: v.exactOptional(
		v.pipe(plainText(100), v.regex(/^[^\s@]+@[^\s@]+$/, 'Use an address such as ada@partner.example.'))
	),
	/** Shown beside the account on the sign-in page. */
	note: v.exactOptional(plainText(120)),
	/** A text is shown on the sign-in page. A password of a variable or a file is not. */
	password: v.exactOptional(secret)
});

const character = v.strictObject({
	name: characterName,
	/** The account that it belongs to. */
	player: v.string(),
	fields: v.exactOptional(characterFields)
});

const application = v.strictObject({
	client_id,
	name: plainText(80),
	kind: v.picklist(['web', 'installed'], 'Use "web" or "installed".'),
	/** SVG or PNG, at most 64 KiB. The consent page shows it in place of the first letter of the name. */
	icon: v.exactOptional(logo),
	/** `{base_url}` at the start is the base URL of the sandbox. */
	redirect_uris: v.exactOptional(v.pipe(v.array(v.string()), v.maxLength(maxRedirectUris))),
	/** Where a browser may go after a sign-out that the application asked for. */
	post_logout_redirect_uris: v.exactOptional(v.pipe(v.array(v.string()), v.maxLength(maxRedirectUris))),
	secret
});

const demoClient = {
	client_id,
	/** Whether the page of this client gets its secret, which must be a text then. */
	publish_secret: v.exactOptional(v.boolean())
};

/** A world file: what a fresh sandbox is. Sections that are absent come from the demo world. */
export const worldFile = v.strictObject({
	$schema: v.exactOptional(v.string()),
	format: v.literal('tollgate-world', 'Write "tollgate-world".'),
	version: v.literal(1, 'This server reads version 1.'),
	brand: v.exactOptional(brand),
	/** What the pages call a character. */
	resource: v.exactOptional(
		v.strictObject({
			singular: plainText(30),
			plural: plainText(30),
			/** `ship` for `/ws/v2.0/ship/<name>`, another path of the character resource. */
			path: v.exactOptional(
				v.pipe(
					v.string(),
					v.regex(
						/^(?!ratelimits$)[a-z][a-z0-9_-]{0,30}$/,
						'Use 1 to 31 of the characters a-z 0-9 _ -, beginning with a letter.'
					)
				)
			),
			/** What the viewer calls fields, by their names. */
			fields: v.exactOptional(v.pipe(v.record(fieldName, plainText(40)), v.maxEntries(32, 'Name at most 32 fields.')))
		})
	),
	/** Kinds of resources beside the characters. None by default. */
	kinds: v.exactOptional(listOf(kindInFile, kindLimits.kinds, 'kinds')),
	/** The parts of the site that the navigation and the front page link to. All by default. */
	show: v.exactOptional(
		v.pipe(
			v.array(v.picklist(siteAreas, `Use one of ${siteAreas.join(', ')}.`)),
			v.maxLength(siteAreas.length, 'Name each part once.')
		)
	),
	/** Paragraphs of the world's own on pages of the service. */
	texts: v.exactOptional(
		v.strictObject({ sign_in: v.exactOptional(plainText(300)), consent: v.exactOptional(plainText(300)) })
	),
	/** How the owner's own API speaks. Sandboxes do with `"settings": {"dialect": "own"}`. */
	provider: v.exactOptional(ownProviderFile),
	/** A guided demo of the page `/guide`. */
	guide: v.exactOptional(guide),
	permissions: v.exactOptional(listOf(permissionInFile, worldLimits.permissions, 'permissions')),
	accounts: v.exactOptional(listOf(account, worldLimits.accounts, 'accounts')),
	characters: v.exactOptional(listOf(character, worldLimits.characters, 'characters')),
	applications: v.exactOptional(listOf(application, worldLimits.applications, 'applications')),
	/** The web application of the page `/viewer`, and the characters that it suggests. */
	viewer: v.exactOptional(
		v.strictObject({
			...demoClient,
			shows: v.exactOptional(v.pipe(v.array(text(100)), v.maxLength(20)))
		})
	),
	/** The installed application of the page `/companion`. */
	companion: v.exactOptional(v.strictObject(demoClient)),
	settings: v.exactOptional(settingsChange),
	sandboxes: v.exactOptional(
		v.strictObject({
			/** How many students share one network address. It raises all limits of one address together. */
			classroom: v.exactOptional(whole(1, 300)),
			/** How many there are at most, the default one apart. */
			most: v.exactOptional(whole(0, 3000)),
			/** How many one address can have, and can create within five minutes. */
			per_address: v.exactOptional(whole(1, 3000)),
			/** After how many hours without a request a sandbox is deleted. */
			idle_hours: v.exactOptional(whole(1, 8760)),
			/** Whether visitors can create sandboxes. */
			self_service: v.exactOptional(v.boolean())
		})
	)
});

export type WorldFile = v.InferOutput<typeof worldFile>;
