import { headerNote, parameterNote, type FieldNote } from '#api/protocol/field-notes.ts';

/** A query parameter, a form field, a header, or a part of the path. */
export type Parameter = {
	readonly in: 'query' | 'form' | 'header' | 'path';
	readonly name: string;
	readonly value: string;
	/** False: it is not sent. */
	readonly isOn: boolean;
	/** The user added it, and can change its name. */
	readonly isOwn?: boolean;
	/** A JSON body has a number, true or false as such. */
	readonly isTyped?: boolean;
};

/** A request that is being built. */
export type RequestDraft = {
	readonly method: 'GET' | 'POST';
	/** Below the base URL. A parameter in the path replaces `{name}`. */
	readonly path: string;
	/** How form fields are written into the body. */
	readonly bodyType: 'form' | 'json';
	readonly parameters: readonly Parameter[];
};

/** Values that are signed when the request is sent: `new`, the last one `again`, and those with a mistake. */
const signedValues = {
	DPoP: ['new', 'again', 'wrong htm', 'wrong htu', 'wrong ath', 'old iat', 'no nonce'],
	client_assertion: ['new', 'again', 'wrong sub', 'wrong aud', 'expired', 'old key']
} as const;

export type SignedValue = (typeof signedValues)[keyof typeof signedValues][number];

/** The values of a parameter that are signed when the request is sent. */
export function signedValuesOf(name: string): readonly SignedValue[] {
	return name === 'DPoP' || name === 'client_assertion' ? signedValues[name] : [];
}

/** Whether a parameter has such a value. */
export function isSigned(name: string, value: string): value is SignedValue {
	return signedValuesOf(name).some((one) => one === value);
}

const secretNames =
	/^(?:client_secret|code|code_verifier|token|access_token|device_code|refresh_token|subject_token|actor_token|authorization)$/i;

/** Whether a value of this name is hidden, is a variable in code, and is not stored. */
export function isSecret(name: string): boolean {
	return secretNames.test(name);
}

/** What a parameter is for, and the section that defines it. */
export function noteOf(parameter: Parameter): FieldNote | undefined {
	if (parameter.in === 'path') return { text: 'The name, as one part of the path.', section: '4' };
	return parameter.in === 'header' ? headerNote(parameter.name) : parameterNote(parameter.name);
}

/** The value of the first parameter of this name. Empty without one. */
export function valueOf({ parameters }: RequestDraft, name: string): string {
	return parameters.find((one) => one.name === name)?.value ?? '';
}

/** Whether a parameter of this name is sent. */
export function sends({ parameters }: RequestDraft, name: string): boolean {
	return parameters.some((one) => one.name === name && one.isOn);
}

/** Changes every parameter of these names. */
export function change(draft: RequestDraft, changes: Readonly<Record<string, Partial<Parameter>>>): RequestDraft {
	const parameters = draft.parameters.map((one) =>
		Object.hasOwn(changes, one.name) ? { ...one, ...changes[one.name] } : one
	);
	return { ...draft, parameters };
}

/** Sets a value and sends it, or removes it where it is undefined. */
export function set(draft: RequestDraft, name: string, value: string | undefined): RequestDraft {
	return change(draft, { [name]: value === undefined ? { isOn: false } : { value, isOn: true } });
}

/** Adds a parameter at the end. */
export function add(draft: RequestDraft, place: Parameter['in'], name: string, value: string): RequestDraft {
	return { ...draft, parameters: [...draft.parameters, { in: place, name, value, isOn: true, isOwn: true }] };
}
