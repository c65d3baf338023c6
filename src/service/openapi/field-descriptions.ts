import { choiceSettings, numberGroups, switchSettings } from '#api/control/settings.ts';
import { maxSeats } from '#api/control/seats.ts';
import { grantTypesOf } from '#api/protocol/grant-types.ts';
import apiFields from '#content/fields/api.json';
import classFields from '#content/fields/class.json';
import standardFields from '#content/fields/standard.json';
import worldFields from '#content/fields/world.json';

/** What a field means, and a value for examples. */
type Field = readonly [description: string, example?: unknown];

/**
 * The fields of the whole API by name. `Schema.name` is the field of one schema, where it differs from others of the same name.
 * A field means the same everywhere, so each description is written once.
 */
const fields: Readonly<Record<string, readonly unknown[]>> = {
	...settingFields(),
	...classFields,
	'NewClass.seats': [`How many students can join, at most ${maxSeats}.`, 30],
	...apiFields,
	...standardFields,
	grant_types_supported: ['The supported grant types.', grantTypesOf('standard')],
	grant_types: ['What the client uses.', grantTypesOf('standard')],
	...worldFields
};

/**
 * The description of a field.
 * @param owner the name of the schema; empty for a schema without a name
 */
export function descriptionOf(owner: string, name: string): string | undefined {
	const description = fieldOf(owner, name)?.[0];
	return typeof description === 'string' ? description : undefined;
}

/** A value for examples; undefined where the schema says enough. */
export function exampleOf(owner: string, name: string): unknown {
	return fieldOf(owner, name)?.[1];
}

function fieldOf(owner: string, name: string): readonly unknown[] | undefined {
	return fields[`${owner}.${name}`] ?? fields[name];
}

/** For the test that every description is used. */
export const describedFields: readonly string[] = Object.keys(fields);

/** The settings, which are also in snapshots. Other fields have the names of some, so the rows above come later. */
function settingFields(): Record<string, Field> {
	const settings = [...numberGroups.flatMap(({ settings }) => settings), ...switchSettings, ...choiceSettings];
	const rows = settings.flatMap(({ name, description, initial }) =>
		[name, `Settings.${name}`, `SettingsChange.${name}`].map((key): [string, Field] => [key, [description, initial]])
	);
	return Object.fromEntries(rows);
}
