import * as v from 'valibot';
import { LinkError, packFragment, unpackFragment } from '#client/packed-link.ts';

const content = v.object({
	/** The id of the exercise. */
	exercise: v.string(),
	source: v.pipe(v.string(), v.maxLength(100_000))
});

/**
 * A link that contains a program. The fragment is not sent to any server.
 * @param listUrl of the page that lists the exercises
 * @returns may be longer than `maxLinkLength`
 */
export async function createProgramLink(listUrl: string, exercise: string, source: string): Promise<string> {
	return `${listUrl}/${exercise}#${await packFragment({ exercise, source })}`;
}

/**
 * The program in the fragment of a link. It is not run.
 * @param exercise whose page is open
 * @throws LinkError if it is damaged, too large, or a program of another exercise
 */
export async function readProgramLink(fragment: string, exercise: string): Promise<string> {
	const shared = v.safeParse(content, await unpackFragment(fragment));
	if (!shared.success) throw new LinkError('The link does not contain a program.');
	if (shared.output.exercise !== exercise) throw new LinkError('The program in the link belongs to another exercise.');
	return shared.output.source;
}
