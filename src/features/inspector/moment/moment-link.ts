import * as v from 'valibot';
import { LinkError, packFragment, unpackFragment } from '#client/packed-link.ts';
import { moment, type Moment } from './moment.ts';

/**
 * A link that contains a moment.
 * @param rootUrl base URL of the root sandbox
 * @returns may be longer than `maxLinkLength`
 */
export async function createMomentLink(rootUrl: string, content: Moment): Promise<string> {
	return `${rootUrl}/moment#${await packFragment(content)}`;
}

/**
 * Reads the fragment of a link to a moment.
 * @param fragment with or without the `#`
 * @throws LinkError if it is empty, damaged, too large or not a moment
 */
export async function readMomentLink(fragment: string): Promise<Moment> {
	const content = v.safeParse(moment, await unpackFragment(fragment));
	if (content.success) return content.output;
	const place = v.getDotPath(content.issues[0]);
	throw new LinkError(
		place === null
			? 'The link does not contain an exchange.'
			: `The link contains an exchange that this version cannot read, at ${place.slice(0, 60)}.`
	);
}
