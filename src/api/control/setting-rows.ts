import * as v from 'valibot';
import type { whole } from './fields.ts';

/** One setting: everything that the service, the pages and the documentation say about it. */
type Setting = {
	/** In forms and lists. */
	readonly label: string;
	/** What a number counts, in the plural. */
	readonly unit?: string;
	/** Help text of the form. */
	readonly hint?: string;
	/** In the OpenAPI document and the documentation. */
	readonly description: string;
	/** Further sentences for the documentation, as Markdown. */
	readonly details?: string;
	/** True: every snapshot has it. A snapshot from before a later setting gets the initial value. */
	readonly isInEverySnapshot?: true;
};

/** Settings that are numbers, by name. */
export type NumberRows<Name extends string> = Readonly<
	Record<Name, Setting & { readonly schema: ReturnType<typeof whole>; readonly initial: number }>
>;
/** Settings that are on or off, by name. */
export type SwitchRows<Name extends string> = Readonly<
	Record<
		Name,
		Omit<Setting, 'hint'> & {
			readonly initial: boolean;
			/** Help text of the form: what is so in each state. */
			readonly hint: { readonly on: string; readonly off: string };
		}
	>
>;
/** A setting that is one of several values. */
export type ChoiceRow<Value extends string> = Setting & {
	readonly schema: v.GenericSchema<Value>;
	readonly initial: Value;
	/** What forms call each value. */
	readonly options: Readonly<Record<Value, string>>;
};

/** Any such setting. */
export type AnyChoice = Setting & { readonly initial: string; readonly options: Readonly<Record<string, string>> };

/** The rows as a list, each with its name and path. */
export function rowsOf<Name extends string, Prefix extends string, Row>(
	rows: Readonly<Record<Name, Row>>,
	prefix: Prefix
): readonly (Row & { readonly name: Name; readonly path: `${Prefix}${Name}` })[];
export function rowsOf<Row extends object>(rows: Readonly<Record<string, Row>>, prefix: string) {
	return Object.entries(rows).map(([name, row]) => ({ ...row, name, path: prefix + name }));
}

/** How a snapshot has a setting. */
export function inSnapshot<Value extends number | boolean | string>(row: {
	readonly schema: v.GenericSchema<Value>;
	readonly initial: Value;
	readonly isInEverySnapshot?: true;
}): v.GenericSchema<Value | undefined, Value> {
	return row.isInEverySnapshot === true ? row.schema : v.optional(row.schema, row.initial);
}
