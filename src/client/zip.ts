/** A file of an archive. */
export type ArchivedFile<Content = string> = { readonly path: string; readonly text: Content };

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

/**
 * A ZIP archive (APPNOTE 6.3). Small texts need no library for it.
 * @param deflate compresses the content of a file (RFC 1951). Absent: nothing is compressed
 */
export function zip(
	files: readonly ArchivedFile<string | Uint8Array>[],
	deflate?: (bytes: Uint8Array) => Uint8Array
): Uint8Array<ArrayBuffer> {
	const encoder = new TextEncoder();
	const content: Uint8Array[] = [];
	const directory: Uint8Array[] = [];
	/** Names are UTF-8. */
	const flags = 0x0800;
	/** 1 January 1980, the first day that the format knows. */
	const date = 0x21;
	let offset = 0;
	for (const { path, text } of files) {
		const name = encoder.encode(path);
		const bytes = typeof text === 'string' ? encoder.encode(text) : text;
		const stored = deflate?.(bytes) ?? bytes;
		const common = numbers(
			[20, 2],
			[flags, 2],
			[deflate === undefined ? 0 : 8, 2],
			[0, 2],
			[date, 2],
			[crc32(bytes), 4],
			[stored.length, 4],
			[bytes.length, 4],
			[name.length, 2],
			[0, 2]
		);
		const head = Uint8Array.from([...numbers([0x04034b50, 4]), ...common, ...name]);
		content.push(head, stored);
		const place = numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]);
		directory.push(Uint8Array.from([...numbers([0x02014b50, 4], [20, 2]), ...common, ...place, ...name]));
		offset += head.length + stored.length;
	}
	const count = files.length;
	const size = directory.reduce((sum, { length }) => sum + length, 0);
	const end = numbers([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2]);
	const all = [...content, ...directory, Uint8Array.from(end)];
	const archive = new Uint8Array(offset + size + end.length);
	let at = 0;
	for (const part of all) {
		archive.set(part, at);
		at += part.length;
	}
	return archive;
}
