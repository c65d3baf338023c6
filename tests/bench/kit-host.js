// The built kit host alone: its pages behind a plain HTTPS server.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from '../../src/tooling/import-source.js';

const [, , cert = '', key = ''] = process.argv;
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) });
server.listen(0, '127.0.0.1', () => void begin());

async function begin() {
	const address = server.address();
	const origin = `https://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;
	process.env.ORIGIN = origin;
	/** @type {{ module: typeof import('../../src/hosts/node/kit-pages.server.ts') }} */
	const { module } = await importSource(root, 'src/hosts/node/kit-pages.server.ts');
	const handler = await module.loadPages(join(root, 'build/kit'), origin);
	server.on('request', (request, response) => void handler(request, response, () => response.writeHead(404).end()));
	console.log(origin);
}
