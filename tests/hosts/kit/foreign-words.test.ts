import { cpSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packWorldFile } from '#hosts/world-file.server.ts';
import { writeStatic } from '#tooling/write-static.js';
import { builtHost, dataFolder, startServer } from '../../run/server.js';
import bank from '../../worlds/bank.json' with { type: 'json' };
import { head, openWire } from '../raw-connection.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { appPaths, docPaths, filePaths, foreignFile, foreignWords } from './foreign-words.ts';

// The words of a partner's site before scripts run. The nightly tests read what scripts show.
const paths = [...appPaths, ...docPaths, ...filePaths];
const statuses = new Map([
	['/docs', 308],
	['/controls/test-cards', 308],
	['/console/support', 308],
	['/unknown', 404]
]);

test('no page of a partner’s server has a word of the demo world', async () => {
	const data = dataFolder();
	const settings = { PORT: '0', DATA_DIR: data.path, WORLD: foreignFile };
	const server = await startServer([process.execPath, builtHost], settings);
	onTestFinished(async () => {
		await server.close();
		data.remove();
	});
	const port = Number(new URL(server.origin).port);
	const texts: Record<string, string> = {};
	for (const path of paths) {
		const wire = await openWire(port);
		texts[path] = await wire.send(head(`GET ${path}`, port, 'Connection: close')).end();
		expect(Number(texts[path].split(' ', 2)[1]), path).toBe(statuses.get(path) ?? 200);
	}
	expect(foreignWords(texts)).toEqual({});
	expect(texts['/']).toContain(bank.brand.headline);
});

test('no file of a site that was written for a world has a word of the demo world', async () => {
	const folder = await temporaryFolder();
	cpSync('build/static-template', folder, { recursive: true });
	writeStatic(folder, '/demo', packWorldFile(foreignFile));
	const read = (file: string) => readFile(join(folder, file), 'utf8');
	const texts: Record<string, string> = {};
	for (const path of paths) {
		texts[path] = await read(path.endsWith('/') ? `${path}index.html` : path).catch(() => read('404.html'));
	}
	expect(foreignWords(texts)).toEqual({});
	for (const path of ['/', '/viewer', '/docs/', '/docs/api/']) expect(texts[path]).toContain('<title>Nordbank</title>');
	for (const path of filePaths) expect(texts[path], path).toContain('Nordbank');
});
