// What a first visit of a page loads, in Chromium, over the network as a visitor has it.
import { startChromium } from '../chromium.js';
import { startBenched } from '../machine.js';
import { heading, table, target } from '../report.js';

/** Each with the most that they may weigh together. */
const pages = [
	{ path: '/', most: 80 },
	{ path: '/viewer', most: 120 },
	{ path: '/learn', most: 120 }
];

/** @type {import('../run.js').Part} */
export const firstVisits = {
	names: ['pages'],
	async run() {
		heading('A first visit: scripts, styles and the document with what is inlined, kB as sent');
		const server = await startBenched('node');
		try {
			const rows = [];
			for (const { path, most } of pages) {
				const { script, style, document, files } = await visit(server.origin + path);
				rows.push({ path, most, script, style, document, sum: script + style + document, files });
			}
			table(
				['page', 'scripts', 'styles', 'document', 'together', 'files'],
				rows.map(({ path, script, style, document, sum, files }) => [
					path,
					...[script, style, document, sum].map((size) => size.toFixed(1)),
					String(files)
				])
			);
			for (const { path, most, sum } of rows) target(`${path} at most ${most} kB`, sum <= most);
		} finally {
			await server.close();
		}
	}
};

/** @param {string} url */
async function visit(url) {
	const { context, close } = await startChromium();
	const page = await context.newPage();
	/** @type {Promise<{ kind: string, size: number }>[]} */
	const loaded = [];
	page.on('response', (response) => {
		const kind = response.request().resourceType();
		if (kind !== 'script' && kind !== 'stylesheet' && kind !== 'document') return;
		const sizes = response.request().sizes();
		loaded.push(sizes.then(({ responseBodySize }) => ({ kind, size: responseBodySize / 1000 })));
	});
	await page.goto(url, { waitUntil: 'networkidle' });
	const files = await Promise.all(loaded);
	await close();
	/** @param {string} wanted */
	const sum = (wanted) => files.reduce((total, { kind, size }) => total + (kind === wanted ? size : 0), 0);
	return { script: sum('script'), style: sum('stylesheet'), document: sum('document'), files: files.length };
}
