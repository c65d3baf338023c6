/** The environment variables of the fields whose values have no label. */
const fieldVariables: ReadonlyMap<string, string> = new Map([
	['authorization', 'AUTHORIZATION'],
	['client_secret', 'CLIENT_SECRET'],
	['cookie', 'COOKIE'],
	['password', 'PASSWORD']
]);

/**
 * Names the environment variables of one generated program. The names come from fixed lists: the service hides the values of all
 * fields whose name ends in `key` or `secret`, so a request could otherwise name any variable of the user who runs the program.
 */
export class SecretVariables {
	readonly #used = new Set<string>();
	#unnamed = 0;

	/** @param label of a value: `access token 7` is `ACCESS_TOKEN_7` */
	ofLabel(label: string): string {
		return this.#use(label.toUpperCase().replaceAll(' ', '_'));
	}

	/** @param name of the field of a hidden value, as it was sent. `TOLLGATE_VALUE_1` if it is not a known field */
	ofField(name: string): string {
		return this.#use(fieldVariables.get(name.toLowerCase()) ?? `TOLLGATE_VALUE_${++this.#unnamed}`);
	}

	/** All names, in the order of their first use. */
	get used(): readonly string[] {
		return [...this.#used];
	}

	#use(name: string): string {
		this.#used.add(name);
		return name;
	}
}
