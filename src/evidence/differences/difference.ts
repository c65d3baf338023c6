/** What a filter of the page shows. */
export const differenceGroups = ['request', 'tokens', 'limits', 'installed'] as const;
export type DifferenceGroup = (typeof differenceGroups)[number];

/** A request to both sandboxes. Names in braces are values of the sandbox, such as `{access_token}`. */
export type DifferenceRequest = {
	/** Method and path below the base URL. */
	readonly line: `${'GET' | 'POST'} /${string}`;
	readonly headers?: Readonly<Record<string, string>>;
	readonly form?: Readonly<Record<string, string>>;
	/** The request of a user with a browser, who signs in and presses Allow. */
	readonly isAuthorization?: true;
};

/** What the service sends back. */
export type DocumentedResponse = {
	readonly status: number;
	/** Header fields by their name in lower case: a part of the value, or null where the response must not have the field. */
	readonly headers?: Readonly<Record<string, string | null>>;
	/** Parts of the body. */
	readonly contains?: readonly string[];
	readonly lacks?: readonly string[];
};

/** One dialect in a difference. */
export type DifferenceSide = {
	/** A section of the specification (`4`) or of an RFC (`RFC 7009 §2`). */
	readonly section: string;
	readonly request: DifferenceRequest;
	readonly response: DocumentedResponse;
};

/** A difference between the specification and the standards of today. */
export type Difference = {
	readonly id: string;
	readonly title: string;
	/** Beside the title in a list. */
	readonly source: string;
	readonly group: DifferenceGroup;
	/** Why the standard decides otherwise. */
	readonly why: string;
	readonly change: { readonly text: string; readonly specification: string; readonly standard: string };
	/** The limit of character requests while the request is sent. Absent: the usual one. */
	readonly limit?: number;
	readonly specification: DifferenceSide;
	readonly standard: DifferenceSide;
};

/** The request of a dialect and its documented response, as text. Names in braces are values of the sandbox. */
export function exchangeText({ request, response }: DifferenceSide): string {
	const { line, headers = {}, form = {} } = request;
	const { status, headers: fields = {}, contains = [], lacks = [] } = response;
	const filled = Object.entries(form).map(([name, value]) => `${name}=${value}`);
	const found = contains.length === 0 ? [] : [`… ${contains.join(' … ')} …`];
	return [
		line,
		...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
		...(filled.length === 0 ? [] : ['', filled.join('\n&')]),
		'',
		`→ ${status}`,
		...Object.entries(fields).map(([name, part]) =>
			part === null ? `(no ${name})` : `${name}: …${part}${part && '…'}`
		),
		...found,
		...lacks.map((part) => `(no ${part})`)
	].join('\n');
}

/** The response of an exchange, as the traffic log has it. */
type Received = {
	readonly status: number;
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly body: string;
};

/** What a response has other than documented: one sentence each. Empty where it is as documented. */
export function deviations(
	{ status, headers = {}, contains = [], lacks = [] }: DocumentedResponse,
	received: Received
): string[] {
	const valueOf = (name: string) => received.headers.find(([one]) => one.toLowerCase() === name)?.[1];
	return [
		...(received.status === status ? [] : [`The status is ${received.status}, documented is ${status}.`]),
		...Object.entries(headers).flatMap(([name, part]) => {
			const value = valueOf(name);
			if (part === null) return value === undefined ? [] : [`The response has ${name}.`];
			return value?.includes(part) === true ? [] : [`${name} is ${value ?? 'missing'}, documented is “${part}” in it.`];
		}),
		...contains.filter((part) => !received.body.includes(part)).map((part) => `The body has no ${part}.`),
		...lacks.filter((part) => received.body.includes(part)).map((part) => `The body has ${part}.`)
	];
}
