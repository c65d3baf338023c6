import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

/**
 * The files of a ZIP archive, by its directory. Independent of the code that writes it.
 * @throws where the archive is damaged
 */
export function unzip(archive: Buffer): Map<string, Buffer> {
	const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
	const files = new Map<string, Buffer>();
	let at = archive.readUInt32LE(end + 16);
	for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
		if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('The directory is damaged.');
		const [method, size, length] = [10, 20, 24].map((place) =>
			place === 10 ? archive.readUInt16LE(at + place) : archive.readUInt32LE(at + place)
		);
		const [nameLength = 0, extraLength = 0, commentLength = 0] = [28, 30, 32].map((place) =>
			archive.readUInt16LE(at + place)
		);
		const local = archive.readUInt32LE(at + 42);
		const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
		const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
		const stored = archive.subarray(start, start + (size ?? 0));
		const content = method === 8 ? inflateRawSync(stored) : stored;
		if (content.length !== length) throw new Error(`${name} is damaged.`);
		files.set(name, content);
		at += 46 + nameLength + extraLength + commentLength;
	}
	return files;
}

/** Writes the files of an archive to a folder. */
export function unzipTo(archive: Buffer, folder: string): void {
	for (const [name, content] of unzip(archive)) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		writeFileSync(join(folder, name), content);
	}
}
