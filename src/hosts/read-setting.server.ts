import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { settings, type Setting, type SettingName } from './settings.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An invalid setting. Its message is for the user who started the server. */
export class ConfigError extends Error {
	override name = 'ConfigError';
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** The settings with a list of allowed values. */
type ChoiceName = { [N in SettingName]: (typeof settings)[N] extends { oneOf: unknown } ? N : never }[SettingName];

/** The value of a setting, or what applies without it. */
export function textOf(environment: Environment, name: SettingName): string | undefined {
	const { fallback }: Setting = settings[name];
	return environment[name] || fallback;
}

/**
 * A secret, or the content of its file, so that the secrets of a container are not in its environment.
 * @param folder for a relative path
 * @throws ConfigError if the file cannot be read
 */
export function readSecretSetting(environment: Environment, name: SettingName, folder: string): string | undefined {
	const value = textOf(environment, name);
	const file = environment[`${name}_FILE`];
	if (!file) return value;
	if (environment[name]) throw new ConfigError(`Set ${name} or ${name}_FILE, not both.`);
	try {
		return readFileSync(resolve(folder, file), 'utf8').trim();
	} catch (error) {
		const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
		throw new ConfigError(`Cannot read ${file}, the file in ${name}_FILE (${reason}).`);
	}
}

/**
 * One of the values that a setting allows.
 * @throws ConfigError for another one
 */
export function choice<N extends ChoiceName>(environment: Environment, name: N): (typeof settings)[N]['oneOf'][number] {
	const allowed: (typeof settings)[N]['oneOf'] = settings[name].oneOf;
	const value = textOf(environment, name);
	const found = allowed.find((choice) => choice === value);
	if (found !== undefined) return found;
	throw new ConfigError(`${name} is "${value}". Set it to ${alternatives.format(allowed)}.`);
}

/**
 * A number up to the highest that a setting allows; undefined where it is not set.
 * @throws ConfigError for anything else
 */
export function wholeNumber(environment: Environment, name: SettingName): number | undefined {
	const { max = 0 }: Setting = settings[name];
	const value = textOf(environment, name);
	if (value === undefined) return undefined;
	const number = /^\d{1,6}$/.test(value) ? Number(value) : NaN;
	if (!(number <= max)) {
		throw new ConfigError(`${name} is "${value}". Set it to a whole number from 0 to ${max}.`);
	}
	return number;
}
