// The built kit host alone: adapter-node's handler behind a plain HTTPS server.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [, , cert = '', key = ''] = process.argv;
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) });
server.listen(0, '127.0.0.1', () => void begin());

async function begin() {
	const address = server.address();
	const origin = `https://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;
	process.env.ORIGIN = origin;
	/** @type {{ handler: import('node:http').RequestListener }} */
	const { handler } = await import(pathToFileURL(join(root, 'build', 'kit', 'handler.js')).href);
	server.on('request', handler);
	console.log(origin);
}
