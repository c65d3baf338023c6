import * as v from 'valibot';
import { isPagePath } from '#api/page-path.ts';
import { isKnownPage } from '#api/site.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { plainText } from '#api/world/world-fields.ts';

/** A link or an image of Markdown. */
const links = /(!?)\[([^\]]*)\]\(([^)]*)\)/g;
const addresses = /[a-z][a-z\d+.-]*:\/\/([^\s/'"`<>)\\]+)|(?:^|[^:])\/\/((?:[\w-]+\.)+[\w-]+)|\b(www\.[^\s/'"`<>)]+)/gi;
/** Reserved for examples (RFC 2606), and the own machine. */
const harmlessHost = /^(?:localhost|127\.0\.0\.1|(?:[\w-]+\.)*example(?:\.com|\.net|\.org)?)(?::(?:\d+|\$?port))?$/i;

const hasForeignAddress = (text: string) =>
	[...text.matchAll(addresses)].some(
		([, host, without, www]) => !harmlessHost.test((host ?? without ?? www ?? '').replace(/[.,;:!?]+$/, ''))
	);

/** A text that names no other server. */
const withoutForeign = v.check<string, string>(
	(text) => !hasForeignAddress(text),
	'Name no other server. Use {base_url}, localhost, or a host that ends in .example.'
);

/** One line: a title, a label. */
export const line = (most: number) => v.pipe(plainText(most), withoutForeign);

/** One paragraph of Markdown without HTML: `code`, **bold**, links to pages of this service. `- ` at its start makes it an item of a list. */
export const prose = (most: number) =>
	v.pipe(
		line(most),
		v.check(
			(text) => !/<\/?[a-z!?]|&#?\w+;/i.test(text.replace(/`[^`]*`/g, '')),
			'Write Markdown without HTML. Put code in backticks.'
		),
		v.check(
			(text) => [...text.matchAll(links)].every(([, image]) => image === ''),
			'Remove the image. Files have texts only.'
		),
		v.check(
			(text) => [...text.matchAll(links)].every(([, , , target = '']) => isPagePath(target) && isKnownPage(target)),
			'Link to a page of this service, such as [Errors](/docs/errors).'
		)
	);

/** Remarks of the published schema, by which forms know a text. */
export const severalLines = 'Several lines.';
export const conditionId = 'The id of a condition.';

/** Code of several lines. It is shown, and never runs. */
export const code = (most: number) =>
	v.pipe(
		v.string('Use a text.'),
		v.maxLength(most, `Enter at most ${most} characters.`),
		v.check(
			(text) =>
				text
					.split('\n')
					.every((one) => sanitizeText(one.replaceAll('\t', ' '), most + 1) === one.replaceAll('\t', ' ')),
			'Remove invisible and direction-changing characters.'
		),
		withoutForeign,
		v.metadata({ $comment: severalLines })
	);

/**
 * A part of a file with a sentence about it, which the published schema, the documentation and forms show.
 * @param title what forms call it, where that is not its name in the file
 */
export const about = <const T extends v.GenericSchema>(schema: T, description: string, title?: string) =>
	v.pipe(
		schema,
		v.metadata<v.InferOutput<T>, { readonly description: string; readonly title?: string }>({
			description,
			...(title !== undefined && { title })
		})
	);

/** As `about`, for a part that a file can leave out. */
export const optional = <const T extends v.GenericSchema>(schema: T, description: string, title?: string) =>
	v.exactOptional(about(schema, description, title));

/** A list of at least one. */
export const listOf = <T extends v.GenericSchema>(item: T, most: number, what: string) =>
	v.pipe(
		v.array(item, 'Use a list.'),
		v.minLength(1, `Add at least one of the ${what}, or remove the list.`),
		v.maxLength(most, `A lesson can have at most ${most} ${what}.`)
	);

/** The id of a lesson or a condition. */
export const name = v.pipe(
	v.string('Use a text.'),
	v.regex(/^[a-z][a-z\d_-]{0,29}$/, 'Use 1 to 30 of the characters a-z 0-9 - _, beginning with a letter.')
);

/** The id of a condition that another part of the file has. */
export const reference = v.pipe(name, v.metadata({ $comment: conditionId }));
