/** Why the data of an earlier run cannot be used. Its message is for the user who started the server. */
export class DiskError extends Error {
	override name = 'DiskError';
}
