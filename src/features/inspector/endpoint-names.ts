/** The id of the endpoint that reads a resource, in the traffic log and in links. It is the same in all worlds. */
export const resourceEndpoint = 'character';

/**
 * What users see for the id of an endpoint: the noun of the world for the endpoint of its resource.
 * @param noun of the world: `account`. An endpoint with this id is the `account endpoint`
 */
export function endpointName(id: string, noun: string): string {
	if (id === resourceEndpoint) return noun;
	return id === noun ? otherName(noun) : id;
}

/** The id of an endpoint that users see under a name. Ids that are not names of others are accepted, too. */
export function endpointId(name: string, noun: string): string {
	if (name === noun) return resourceEndpoint;
	return name === otherName(noun) ? noun : name;
}

function otherName(noun: string): string {
	return `${noun} endpoint`;
}
