/** An image of a world file, to draw it. Undefined if the browser cannot read it. */
export async function loadImage(source: string): Promise<HTMLImageElement | undefined> {
	const image = new Image();
	image.src = source;
	return image.decode().then(
		() => image,
		() => undefined
	);
}
