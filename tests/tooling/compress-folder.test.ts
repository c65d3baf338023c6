import { link, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressFolder, quality } from '#tooling/compress-folder.js';
import { temporaryFolder } from '../hosts/temporary-folder.ts';

test('compresses again in a better quality, and not in the copy of a server that runs', async () => {
	const folder = await temporaryFolder();
	const script = join(folder, 'a.js');
	const copy = `${script}.br`;
	const running = join(folder, 'running');
	const text = Array.from({ length: 2000 }, (_, at) => `a${at * at}`).join();
	await writeFile(script, text);
	await compressFolder(folder, quality.fast);
	const fast = await readFile(copy);
	await link(copy, running);
	await compressFolder(folder, quality.best);
	const best = await readFile(copy);
	expect(best.length).toBeLessThan(fast.length);
	expect(String(brotliDecompressSync(best))).toBe(text);
	expect(await readFile(running)).toEqual(fast);
});
