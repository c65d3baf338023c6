import { base64 } from '@scure/base';
import { maxLogo } from '#api/world/brand.ts';
import type { WorldFile } from '#api/world/world-file.ts';
import { decodeUtf8 } from '../core/encoding.ts';
import { WorldError } from './world-mistakes.ts';

/** What a host provides to read a world. */
export type WorldSources = {
	/** SHA-256 of the text's UTF-8 bytes, in base64url without padding. */
	readonly digest: (text: string) => string;
	/** The value of an environment variable, for `{"env"}`. Absent where the host has none. */
	readonly variable?: (name: string) => string | undefined;
	/**
	 * Reads a file beside the world file, for logos and `{"file"}`. Absent where the host cannot.
	 * @param place in the world file, for the `WorldError` that it throws
	 */
	readonly readFile?: (path: string, place: string) => Uint8Array;
};

export type WrittenSecret = NonNullable<WorldFile['applications']>[number]['secret'];

const longest = 256;

/**
 * The text of a secret, from the file itself, from an environment variable or from another file.
 * @param place in the world file
 * @throws WorldError that does not repeat the secret
 */
export function readSecret(secret: WrittenSecret, place: string, { variable, readFile }: WorldSources): string {
	if (typeof secret === 'string') return secret;
	if ('env' in secret) {
		if (variable === undefined)
			throw new WorldError(place, 'Environment variables cannot be read here. Write the secret as a text.');
		const value = variable(secret.env);
		if (!value) throw new WorldError(place, `The environment variable ${secret.env} is not set. Set it to the secret.`);
		return checked(value, place);
	}
	if (readFile === undefined) throw new WorldError(place, 'Files cannot be read here. Write the secret as a text.');
	return checked(decodeUtf8(readFile(secret.file, place))?.trim() ?? '', place);
}

function checked(value: string, place: string): string {
	if (value !== '' && value.length <= longest) return value;
	throw new WorldError(place, `The secret is empty, longer than ${longest} characters or not UTF-8. Use another one.`);
}

const types = ['image/svg+xml', 'image/png'] as const;
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * A logo as a data URI. It is shown as an image, so no script in it runs.
 * @param value a data URI in base64, or the path of a file
 * @param place in the world file
 * @param readFile reads a file beside the world file; undefined where the host has none
 * @throws WorldError
 */
export function readLogo(value: string, place: string, readFile: WorldSources['readFile']): string {
	if (!value.startsWith('data:')) {
		if (readFile === undefined)
			throw new WorldError(place, 'Files cannot be read here. Write the logo as data:image/svg+xml;base64,… instead.');
		return dataUri(readFile(value, place), place);
	}
	const [, type, content = ''] = /^data:(image\/(?:svg\+xml|png));base64,([A-Za-z0-9+/]+=*)$/.exec(value) ?? [];
	const bytes = type === undefined ? undefined : decode(content);
	if (bytes === undefined)
		throw new WorldError(place, 'It is not a data URI in base64 of the type image/svg+xml or image/png.');
	return dataUri(bytes, place);
}

/** Whether an image that was read is a PNG. */
export function isPng(image: string): boolean {
	return image.startsWith('data:image/png;');
}

/** As `readLogo`, for a picture in previews of links. Programs that show previews do not show an SVG. */
export function readPicture(value: string, place: string, readFile: WorldSources['readFile']): string {
	const picture = readLogo(value, place, readFile);
	if (isPng(picture)) return picture;
	throw new WorldError(place, 'It is no PNG. Programs that show previews of links do not show an SVG.');
}

function dataUri(bytes: Uint8Array, place: string): string {
	if (bytes.length > maxLogo)
		throw new WorldError(
			place,
			`The logo has ${Math.ceil(bytes.length / 1024)} KiB. Use one of at most ${maxLogo / 1024} KiB.`
		);
	const isPng = pngSignature.every((byte, at) => bytes[at] === byte);
	if (!isPng && !/<svg[\s>]/.test(decodeUtf8(bytes) ?? ''))
		throw new WorldError(place, 'The logo is no SVG and no PNG.');
	return `data:${types[isPng ? 1 : 0]};base64,${base64.encode(bytes)}`;
}

function decode(content: string): Uint8Array | undefined {
	try {
		return base64.decode(content);
	} catch {
		return undefined;
	}
}
