import * as v from 'valibot';
import { contrastOf, leastContrast, papers } from './accent.ts';
import { plainText } from './world-fields.ts';

/** The longest logo, in bytes. */
export const maxLogo = 64 * 1024;

/** A color that can be read on a page, in the form `#rrggbb`. */
const accent = (paper: keyof typeof papers) =>
	v.pipe(
		v.string(),
		v.regex(/^#[0-9a-fA-F]{6}$/, 'Use a color of the form #4d3ee0.'),
		v.check(
			(color) => contrastOf(color, papers[paper]) >= leastContrast,
			({ input }) => {
				// Rounded down, so that no rejected color reads as 4.5.
				const found = Math.floor(contrastOf(input, papers[paper]) * 10) / 10;
				const change = paper === 'light' ? 'darker' : 'lighter';
				return `Its contrast on the ${paper} page is ${found}:1. Use a ${change} color with at least ${leastContrast}:1.`;
			}
		)
	);

const link = v.pipe(
	v.string(),
	v.regex(/^(?:https?:\/\/|mailto:)[\x21-\x7e]{1,500}$/, 'Use a link that starts with https://, http:// or mailto:.')
);

/** A file beside the world file, or a data URI. */
export const logo = v.pipe(
	v.string(),
	v.minLength(1, 'This field is required.'),
	v.maxLength(2 * maxLogo, 'Use a logo of at most 64 KiB.')
);

/** What the pages are called and how they look. */
export const brand = v.strictObject({
	name: plainText(40),
	tagline: v.exactOptional(plainText(120)),
	/** The heading of the front page. */
	headline: v.exactOptional(plainText(80)),
	/** The paragraph below the headline. */
	intro: v.exactOptional(plainText(300)),
	/** SVG or PNG, at most 64 KiB. */
	logo: v.exactOptional(v.strictObject({ light: logo, dark: v.exactOptional(logo) })),
	/** PNG, at most 64 KiB: the picture in previews of links. Default: the logo, if it is a PNG. */
	picture: v.exactOptional(logo),
	accent: v.exactOptional(v.strictObject({ light: accent('light'), dark: accent('dark') })),
	links: v.exactOptional(
		v.strictObject({ home: v.exactOptional(link), support: v.exactOptional(link), terms: v.exactOptional(link) })
	)
});

export type Brand = v.InferOutput<typeof brand>;
