import { maxLogo } from '#api/world/brand.ts';

/** Why an image cannot be used, for users. */
export class ImageFileError extends Error {
	override name = 'ImageFileError';
}

/**
 * Reads an image that a user chose, as a data URI for a world file.
 * @throws ImageFileError
 */
export async function readImageFile(file: File): Promise<string> {
	if (!['image/svg+xml', 'image/png'].includes(file.type))
		throw new ImageFileError('The file is no SVG and no PNG. Choose another one.');
	if (file.size > maxLogo)
		throw new ImageFileError(
			`The file has ${Math.ceil(file.size / 1024)} KiB. Choose one of at most ${maxLogo / 1024} KiB.`
		);
	const bytes = new Uint8Array(await file.arrayBuffer());
	return `data:${file.type};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** An image of a world file, to draw it. Undefined if the browser cannot read it. */
export async function loadImage(source: string): Promise<HTMLImageElement | undefined> {
	const image = new Image();
	image.src = source;
	return image.decode().then(
		() => image,
		() => undefined
	);
}
