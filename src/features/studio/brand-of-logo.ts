import { maxLogo } from '#api/world/brand.ts';
import { partAt } from './file-parts.ts';
import { loadImage } from './image-file.ts';
import { accentOf, invertLightness, isLostInDark, type Accent } from './pixel-colors.ts';

/** The longer side of a logo that the studio draws, in pixels. */
const size = 192;

/** What a logo says about the rest of a brand. */
export type LogoBrand = {
	readonly accent?: Accent | undefined;
	/** The logo for dark pages, a PNG as a data URI. Absent if the logo itself can be seen on them. */
	readonly dark?: string | undefined;
};

/**
 * The colors of a logo, and a lighter one for dark pages if it needs one.
 * @param logo a data URI
 */
async function brandOfLogo(logo: string): Promise<LogoBrand> {
	const image = await loadImage(logo);
	const canvas = document.createElement('canvas');
	const context = canvas.getContext('2d', { willReadFrequently: true });
	if (image === undefined || context === null) return {};
	const [width, height] = [image.naturalWidth || size, image.naturalHeight || size];
	const scale = size / Math.max(width, height);
	[canvas.width, canvas.height] = [Math.max(1, width * scale), Math.max(1, height * scale)];
	context.drawImage(image, 0, 0, canvas.width, canvas.height);
	const drawn = readPixels(context);
	if (drawn === undefined) return {};
	const accent = accentOf(drawn.data);
	if (!isLostInDark(drawn.data)) return { accent };
	invertLightness(drawn.data);
	context.putImageData(drawn, 0, 0);
	const dark = canvas.toDataURL('image/png');
	return dark.length * 0.75 <= maxLogo ? { accent, dark } : { accent };
}

/** Undefined: some browsers show the pixels of an SVG that contains HTML to no script. */
function readPixels(context: CanvasRenderingContext2D): ImageData | undefined {
	try {
		return context.getImageData(0, 0, context.canvas.width, context.canvas.height);
	} catch {
		return undefined;
	}
}

/** A brand with another logo. What the user chose stays, and what came from the logo before follows. */
export async function withLogo(brand: unknown, logo: string): Promise<Record<string, unknown>> {
	const [light, dark, accent] = [['logo', 'light'], ['logo', 'dark'], ['accent']].map((path) => partAt(brand, path));
	const before = typeof light === 'string' ? await brandOfLogo(light) : {};
	const now = await brandOfLogo(logo);
	const isOwn = (value: unknown, derived: unknown) =>
		value !== undefined && JSON.stringify(value) !== JSON.stringify(derived);
	const nextDark = isOwn(dark, before.dark) ? dark : now.dark;
	return {
		logo: { light: logo, ...(nextDark !== undefined && { dark: nextDark }) },
		accent: isOwn(accent, before.accent) ? accent : now.accent,
		// It shows the logo, and is drawn again.
		picture: undefined
	};
}
