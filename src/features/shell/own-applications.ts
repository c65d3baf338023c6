type HasId = { readonly client_id: string };

/** A registered application. The secret is undefined where this browser has not been shown it. */
export type OwnApplication = HasId & {
	readonly name: string;
	readonly client_secret?: string | undefined;
};

/**
 * The applications of a sandbox that its user writes: those that are not of its world. First those whose secret this browser was
 * shown, then the newest one.
 * @param all in the order of registration
 * @param remembered `RememberedSeat.applications`
 */
export function ownApplications(
	all: readonly OwnApplication[],
	{ viewer, companion }: { readonly viewer: HasId; readonly companion?: HasId | undefined },
	remembered: readonly OwnApplication[] = []
): OwnApplication[] {
	const known = remembered.filter((one) => all.some(({ client_id }) => client_id === one.client_id));
	const taken = [...known, viewer, ...(companion ? [companion] : [])].map(({ client_id }) => client_id);
	return [...known, ...all.toReversed().filter(({ client_id }) => !taken.includes(client_id))];
}
