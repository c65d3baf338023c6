/** What a field means, and a value for examples. */
export type Field = readonly [description: string, example?: unknown];

/** The fields of a world by name, as in `field-descriptions.ts`. */
export const worldFields: Readonly<Record<string, Field>> = {
	'Preset.world': [
		'A world file of at most 256 KiB. Its images are data URIs. Absent: the world of the server.',
		{ format: 'tollgate-world', version: 1, brand: { name: 'Harbor Lane' } }
	],
	brand: ['What the pages are called and how they look.'],
	tagline: ['What the service is for.', 'Partner sandbox'],
	logo: ['The logo as data URIs.'],
	light: ['For light pages.', '#4d3ee0'],
	dark: ['For dark pages.', '#a79bff'],
	accent: ['The color of buttons and links.'],
	links: ['Links of the provider.'],
	home: ['The page of the provider.', 'https://partner.example'],
	'PublicWorld.support': ['Where users get help.', 'mailto:api@partner.example'],
	terms: ['The terms of use.', 'https://partner.example/terms'],
	resource: ['What a character is called.'],
	singular: ['One of them.', 'character'],
	plural: ['Several of them.', 'characters'],
	'PublicWorld.permissions': ['The permissions of the sandbox.'],
	'Permission.scope': ['Its name in requests.', 'location_read'],
	title: ['Its name for users.', 'View location'],
	consent: ['What it lets an application do, for the consent page.', 'See where your own characters are'],
	opens: ['The fields of a character that it shows.', ['location']],
	of: ['Whose characters: those of `everybody`, or only the user’s `own`.', 'own'],
	'PublicWorld.accounts': ['The accounts of the world file, for the sign-in page.'],
	'PublicWorld.name': ['The name.', 'Ada Okafor'],
	show: ['The parts of the site that pages link to. Absent: all.', ['viewer', 'docs']],
	headline: ['The heading of the front page.', 'Try our API'],
	intro: ['The paragraph below the headline.', 'Sign in as a customer and see each request.'],
	'PublicWorld.path': ['Another last segment of the path of the resource, `/ws/v2.0/<path>/<name>`.', 'ship'],
	email: ['The e-mail address that pages show. No mail is sent.', 'ada@partner.example'],
	icon: ['The icon of the application, as a data URI.', 'data:image/png;base64,iVBORw0KGgo='],
	note: ['What is special about the account.', 'Owns two characters'],
	'PublicWorld.password': ['The password, if the world file publishes it.', 'demo'],
	viewer: ['The web application of the page `/viewer`.'],
	companion: ['The installed application of the page `/companion`.'],
	'PublicWorld.client_secret': ['The secret, if the world file publishes it.', 'viewer-secret'],
	shows: ['The characters that the viewer suggests.', ['Mara Vell']],
	characters: ['These characters with their owners.'],
	player: ['The account that it belongs to.', 'player-one']
};
