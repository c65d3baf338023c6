/** A world file, and why it is rejected. Without a reason its content is shown as text. */
export type HostileWorld = {
	readonly name: string;
	readonly text: string;
	readonly rejected?: { readonly reason: RegExp; readonly status?: number };
};

const dataUri = (type: string, content: string) =>
	`data:${type};base64,${Buffer.from(content, 'latin1').toString('base64')}`;
const svg = (inner: string, attributes = '') =>
	dataUri('image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" ${attributes}>${inner}</svg>`);
const script = 'window.hostile=1;alert(1)';
const image = `<img src=x onerror="${script}">`;
/** A PNG that says it is 60,000 pixels wide and high. */
const hugePng = dataUri(
	'image/png',
	'\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60\x08\x06\0\0\0\x9a\x76\x82\x70\0\0\0\0IEND\xaeB\x60\x82'
);

/**
 * Twenty and more worlds.
 * @param base the content of a right world file, with the user `astrid`
 */
export function hostileWorlds(base: object): HostileWorld[] {
	const parts = new Map(Object.entries(base));
	const part = (section: string): unknown => parts.get(section);
	const fields = (value: unknown) => (typeof value === 'object' ? value : {});
	const items = (section: string): object[] => {
		const list = part(section);
		return Array.isArray(list) ? list.map((item: unknown) => ({ ...fields(item) })) : [];
	};
	const write = (changes: object) => JSON.stringify({ ...base, ...changes });
	const brand = (changes: object) => write({ brand: { ...fields(part('brand')), ...changes } });
	const eachOf = (section: string, changes: object) => ({
		[section]: items(section).map((item) => ({ ...item, ...changes }))
	});
	/** Every text for display. */
	const everywhere = (line: (most: number) => string) =>
		write({
			brand: { ...fields(part('brand')), name: line(40), tagline: line(120), headline: line(80), intro: line(300) },
			resource: { singular: line(30), plural: line(30), fields: { type: line(40) } },
			texts: { sign_in: line(300), consent: line(300) },
			guide: { title: line(80), steps: [{ title: line(80), text: line(400), path: '/viewer' }] },
			...eachOf('permissions', { title: line(80), consent: line(200) }),
			...eachOf('accounts', { name: line(80), note: line(120) }),
			...eachOf('applications', { name: line(80) }),
			characters: [{ name: line(100), player: 'astrid', fields: { type: line(2000), balance: line(2000) } }],
			viewer: { client_id: 'budget-planner', publish_secret: true, shows: [line(100)] }
		});
	const cut = (text: string) => (most: number) => text.slice(0, most).trim();
	const reject = (name: string, text: string, reason: RegExp, status?: number): HostileWorld => ({
		name,
		text,
		rejected: { reason, ...(status !== undefined && { status }) }
	});
	return [
		reject(
			'a javascript: link is rejected',
			brand({ links: { home: `javascript:${script}` } }),
			/use a link that starts/i
		),
		reject(
			'a data: page as a link is rejected',
			brand({ links: { support: dataUri('text/html', image) } }),
			/use a link that starts/i
		),
		reject(
			'a logo of another host is rejected',
			brand({ logo: { light: 'https://evil.example/logo.svg' } }),
			/files cannot be read/i
		),
		reject(
			'a logo of another host without a scheme is rejected',
			brand({ logo: { light: '//evil.example/logo.svg' } }),
			/files cannot be read/i
		),
		reject(
			'an icon of another host is rejected',
			write(eachOf('applications', { icon: 'https://evil.example/i.png' })),
			/files cannot be read/i
		),
		reject('a page as a logo is rejected', brand({ logo: { light: dataUri('text/html', image) } }), /not a data URI/),
		reject(
			'a page that says it is an image is rejected',
			brand({ logo: { light: dataUri('image/png', image) } }),
			/no SVG and no PNG/i
		),
		reject('an SVG as a picture of previews is rejected', brand({ picture: svg('') }), /brand\.picture: it is no PNG/i),
		reject('a logo of 80 KiB is rejected', brand({ logo: { light: svg(' '.repeat(80 * 1024)) } }), /KiB/),
		reject('white on white is rejected', brand({ accent: { light: '#ffffff', dark: '#ffffff' } }), /contrast/),
		reject(
			'a style as a color is rejected',
			brand({ accent: { light: 'red;background:url(//evil.example)', dark: '#ffffff' } }),
			/color of the form/
		),
		reject('a name of 300 characters is rejected', brand({ name: 'N'.repeat(300) }), /brand\.name/),
		reject(
			'a name that changes the direction of the text is rejected',
			brand({ name: 'Bank\u202egnp.exe' }),
			/direction-changing/
		),
		reject(
			'variables that are missing are all listed',
			write(eachOf('accounts', { password: { env: 'MISSING' } })),
			/accounts\.0\.password[^]*accounts\.1\.password/
		),
		reject(
			'a file of the server as a secret is rejected',
			write(eachOf('applications', { secret: { file: '/etc/passwd' } })),
			/files cannot be read/i
		),
		reject(
			'__proto__ as a section is rejected',
			write({}).replace('{', '{"__proto__":{"hostile":1},'),
			/reserved|unknown field/
		),
		reject(
			'constructor as a field is rejected',
			write(eachOf('characters', { fields: { constructor: 1 } })),
			/reserved|unknown field/
		),
		reject(
			'prototype within a field is rejected',
			write(eachOf('characters', { fields: { a: { prototype: 1 } } })),
			/reserved/
		),
		reject(
			'a javascript: redirect URI is rejected',
			write(eachOf('applications', { redirect_uris: [`javascript:${script}`] })),
			/redirect/
		),
		reject('a section with scripts is rejected', write({ scripts: [script] }), /no such field/i),
		reject(
			'a step of another host is rejected',
			write({ guide: { title: 'A', steps: [{ title: 'A', text: 'A', path: '//evil.example' }] } }),
			/guide\.steps/
		),
		reject('a file of 300 KiB is rejected', brand({ tagline: 'N'.repeat(300 * 1024) }), /KiB|large/, 413),
		reject('a file that is no JSON is rejected', `<script>${script}</script>`, /JSON/),
		{
			name: 'markup is shown as text',
			text: everywhere(cut(`${image}</title></script></style><script>${script}</script>`))
		},
		{
			name: 'markup that closes attributes is shown as text',
			text: everywhere(cut(`"'><svg/onload=${script}>{{x}}\${x}$&%sveltekit.head%`))
		},
		{
			name: 'references to images of other hosts are shown as text',
			text: everywhere(cut('![x](//evil.example/a)<img src=//evil.example/b> url(https://evil.example/c)'))
		},
		{ name: 'names in right-to-left are shown', text: everywhere(cut('بنك الشمال للحسابات والمدفوعات '.repeat(20))) },
		{ name: 'the longest texts without a space are shown', text: everywhere((most) => 'W'.repeat(most)) },
		{
			name: 'scripts and images of other hosts in a logo and an icon do nothing',
			text: write({
				brand: {
					...fields(part('brand')),
					logo: {
						light: svg(
							`<script>${script}</script><image href="https://evil.example/a.png"/><style>@import "https://evil.example/b.css"</style>`,
							`onload="${script}"`
						)
					}
				},
				...eachOf('applications', {
					icon: svg(`<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">${image}</body></foreignObject>`)
				})
			})
		},
		{
			name: 'an image of 60,000 pixels does nothing',
			text: write({
				brand: { ...fields(part('brand')), logo: { light: hugePng } },
				...eachOf('applications', { icon: hugePng })
			})
		}
	];
}
