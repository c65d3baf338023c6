/** A JSON Schema of an object. */
export type ObjectSchema = {
	readonly type: 'object';
	readonly properties: Readonly<Record<string, object>>;
	readonly required: readonly string[];
	readonly additionalProperties: false;
};

/** Arguments of a tool, as a coding agent sends them. */
export type Arguments = Readonly<Record<string, unknown>>;

/** What a coding agent can call. */
export type Tool = {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: ObjectSchema;
	readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean };
	/** Returns text for the agent. @throws ToolError */
	readonly call: (args: Arguments) => Promise<string>;
};

/** A tool cannot do what the agent asked. Its message is for the agent. */
export class ToolError extends Error {
	override name = 'ToolError';
}

/** The longest text of a result, in characters: an agent reads all of it. */
const maxText = 40_000;

/** A result as text. A long one ends with what to do about it. */
export function resultText(data: unknown): string {
	const text = typeof data === 'string' ? data : JSON.stringify(data, undefined, 1);
	return text.length <= maxText
		? text
		: `${text.slice(0, maxText)}\n… The rest is left out. Ask for less, for example with limit.`;
}

/** An argument that must be text. @throws ToolError */
export function textArgument(args: Arguments, name: string): string {
	const value = args[name];
	if (typeof value === 'string' && value !== '') return value;
	throw new ToolError(`${name} is missing. It is a text.`);
}
