/** A mistake in a world file. The message says where, what and what to do: `characters.3.player: there is no account "adda". …`. */
export class WorldError extends Error {
	override name = 'WorldError';

	/**
	 * @param place in the file, as a path; undefined for the file as a whole
	 * @param reason what is wrong and what to do; contains no secret
	 */
	constructor(
		readonly place: string | undefined,
		readonly reason: string
	) {
		super(place === undefined ? reason : `${place}: ${lowerFirst(reason)}`);
	}
}

/** A sentence after a colon. */
function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
