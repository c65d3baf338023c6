import { maxLogo } from '#api/world/brand.ts';
import { loadImage } from './image-file.ts';
import type { WorldDraft } from './world-draft.svelte.ts';

/** What a picture shows. */
type Drawn = {
	readonly name: string;
	/** Below the name. May be empty. */
	readonly line: string;
	/** A data URI. Empty: none. */
	readonly logo: string;
	/** `#rrggbb`. */
	readonly color: string;
};

/** In pixels, as programs that show previews expect it. The second one is for pictures that are too large as a file. */
const sizes = [
	[1200, 630],
	[600, 315]
] as const;

/** Adds a picture to a world that has a logo and no picture, so that previews of links show the brand. */
export async function addPicture(draft: WorldDraft): Promise<void> {
	const logo = draft.textAt('brand.logo.light');
	if (logo === '' || draft.textAt('brand.picture') !== '') return;
	const picture = await drawPicture(brandOf(draft));
	if (picture !== undefined) draft.set('brand.picture', picture);
}

/** What the picture of a world shows. */
export function brandOf(draft: WorldDraft): Drawn {
	return {
		name: draft.textAt('brand.name'),
		line: draft.textAt('brand.headline') || draft.textAt('brand.tagline'),
		logo: draft.textAt('brand.logo.light'),
		color: draft.textAt('brand.accent.light') || '#4d3ee0'
	};
}

/**
 * Draws the picture in previews of links: the logo, the name and a line.
 * @returns a PNG as a data URI; undefined if it is larger than a world file allows, or the browser cannot draw the logo
 */
export async function drawPicture(drawn: Drawn): Promise<string | undefined> {
	const logo = drawn.logo === '' ? undefined : await loadImage(drawn.logo);
	for (const [width, height] of sizes) {
		const canvas = document.createElement('canvas');
		[canvas.width, canvas.height] = [width, height];
		const context = canvas.getContext('2d');
		if (context === null) return undefined;
		context.scale(width / 1200, height / 630);
		draw(context, drawn, logo);
		const picture = canvas.toDataURL('image/png');
		if (picture.length * 0.75 <= maxLogo) return picture;
	}
	return undefined;
}

/** In a space of 1200 by 630. */
function draw(
	context: CanvasRenderingContext2D,
	{ name, line, color }: Drawn,
	logo: HTMLImageElement | undefined
): void {
	context.fillStyle = '#ffffff';
	context.fillRect(0, 0, 1200, 630);
	context.fillStyle = color;
	context.fillRect(0, 606, 1200, 24);
	if (logo !== undefined) {
		const scale = 180 / Math.max(logo.naturalWidth || 1, logo.naturalHeight || 1);
		context.drawImage(logo, 80, 90, (logo.naturalWidth || 1) * scale, (logo.naturalHeight || 1) * scale);
	}
	context.fillStyle = '#15181e';
	// The last argument narrows longer texts.
	context.font = `700 88px ${getComputedStyle(document.body).fontFamily}`;
	context.fillText(name, 80, 400, 1040);
	context.fillStyle = '#4b5563';
	context.font = `400 44px ${getComputedStyle(document.body).fontFamily}`;
	context.fillText(line, 80, 490, 1040);
}
