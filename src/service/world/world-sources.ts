/** What a host provides to read a world. */
export type WorldSources = {
	/** SHA-256 of the text's UTF-8 bytes, in base64url without padding. */
	readonly digest: (text: string) => string;
	/** The value of an environment variable, for `{"env"}`. Absent where the host has none. */
	readonly variable?: (name: string) => string | undefined;
	/**
	 * Reads a file beside the world file, for logos and `{"file"}`. Absent where the host cannot.
	 * @param place in the world file, for the `WorldError` that it throws
	 */
	readonly readFile?: (path: string, place: string) => Uint8Array;
};
