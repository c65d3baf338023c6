import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

/** The arguments of a tool: an object, each of whose fields is named. */
export type ToolInput = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/** What a coding agent can call. Its arguments have the form of its schema. */
export type Tool = {
	readonly name: string;
	readonly description: string;
	readonly input: ToolInput;
	readonly annotations: {
		readonly readOnlyHint: boolean;
		readonly destructiveHint: boolean;
		/** Whether it reaches more than the service, such as programs of this machine. */
		readonly openWorldHint: boolean;
	};
	/** Validates the arguments, and returns text for the agent. @throws ToolError */
	readonly call: (args: unknown) => Promise<string>;
};

/** A tool cannot do what the agent asked. Its message is for the agent. */
export class ToolError extends Error {
	override name = 'ToolError';
}

/** Defines a tool whose arguments are validated by its schema before they are used. */
export function defineTool<const Entries extends v.ObjectEntries>({
	input,
	call,
	...tool
}: Omit<Tool, 'input' | 'call'> & {
	readonly input: v.StrictObjectSchema<Entries, undefined>;
	readonly call: (args: v.InferOutput<v.StrictObjectSchema<Entries, undefined>>) => Promise<string>;
}): Tool {
	return { ...tool, input, call: (args) => call(readArguments(tool.name, input, args)) };
}

/**
 * Arguments in the form of a schema.
 * @param owner of the schema, for messages
 * @throws ToolError that names the argument
 */
export function readArguments<Schema extends v.GenericSchema>(
	owner: string,
	schema: Schema,
	args: unknown
): v.InferOutput<Schema> {
	const { success, output, issues } = v.safeParse(schema, args);
	if (success) return output;
	const [issue] = issues;
	const path = v.getDotPath(issue);
	if (path === null) throw new ToolError(`The arguments of ${owner} must be an object.`);
	const isUnknown = issue.expected === 'never';
	throw new ToolError(isUnknown ? `${owner} has no argument ${path}.` : `${path}: ${issue.message}`);
}

/** A schema as JSON Schema. What only code can check is left out, and what says nothing: agents read all of it. */
export function jsonSchemaOf(schema: v.GenericSchema) {
	const { $schema: _version, ...rest } = toJsonSchema(schema, {
		typeMode: 'input',
		errorMode: 'ignore',
		overrideSchema({ jsonSchema: { type, required, additionalProperties, ...others } }) {
			const saysType = ['enum', 'const', 'properties'].some((name) => name in others);
			return {
				...(type !== undefined && !saysType && { type }),
				...(required !== undefined && required.length > 0 && { required }),
				// Messages of the service name a field that it does not know.
				...(typeof additionalProperties === 'object' && { additionalProperties }),
				...others
			};
		}
	});
	return rest;
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
