/** A file of an archive. */
export type ArchivedFile = { readonly path: string; readonly text: string };

const polynomial = 0xedb88320;

/** CRC-32 of ZIP (ISO 3309). */
function crc32(bytes: Uint8Array): number {
	let crc = 0xffffffff;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
	}
	return (crc ^ 0xffffffff) >>> 0;
}

/** Numbers in little-endian order: each with its length in bytes. */
function numbers(...list: readonly (readonly [value: number, length: number])[]): number[] {
	return list.flatMap(([value, length]) => Array.from({ length }, (_, at) => (value >>> (8 * at)) & 0xff));
}

/** A ZIP archive without compression (APPNOTE 6.3). Small texts need no library for it. */
export function zip(files: readonly ArchivedFile[]): Uint8Array<ArrayBuffer> {
	const encoder = new TextEncoder();
	const content: number[] = [];
	const directory: number[] = [];
	/** Names are UTF-8. */
	const flags = 0x0800;
	/** 1 January 1980, the first day that the format knows. */
	const date = 0x21;
	for (const { path, text } of files) {
		const [name, bytes] = [encoder.encode(path), encoder.encode(text)];
		const offset = content.length;
		const common = numbers(
			[20, 2],
			[flags, 2],
			[0, 2],
			[0, 2],
			[date, 2],
			[crc32(bytes), 4],
			[bytes.length, 4],
			[bytes.length, 4],
			[name.length, 2],
			[0, 2]
		);
		content.push(...numbers([0x04034b50, 4]), ...common, ...name);
		for (const byte of bytes) content.push(byte);
		directory.push(...numbers([0x02014b50, 4], [20, 2]), ...common);
		directory.push(...numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), ...name);
	}
	const count = files.length;
	const end = numbers(
		[0x06054b50, 4],
		[0, 4],
		[count, 2],
		[count, 2],
		[directory.length, 4],
		[content.length, 4],
		[0, 2]
	);
	return new Uint8Array([...content, ...directory, ...end]);
}
