import { expect, test } from 'vitest';
import { readHar } from '#evidence/har/read-har.ts';
import { recordings } from '../evidence/har/recordings.ts';

/** A file of 20 MB: all recordings, many calls, and pages that belong to no sign-in. */
function largeHar(): string {
	const all = Object.values(recordings).flatMap(({ har }): object[] => JSON.parse(har).log.entries);
	const filler = 'x1 '.repeat(3400);
	const page = { ...all[0], request: { method: 'GET', url: 'https://news.example/a', headers: [] } };
	const entries = Array.from({ length: 1900 }, (_, at) =>
		at % 4 === 0
			? (all[(at / 4) % all.length] ?? page)
			: {
					...page,
					request: { ...page.request, url: `https://news.example/${at}` },
					response: {
						status: 200,
						headers: [],
						content: { text: filler + filler.slice(0, 4300), mimeType: 'text/html' }
					}
				}
	);
	return JSON.stringify({ log: { entries } });
}

test('reads 20 MB in less than two seconds of processor time', () => {
	const text = largeHar();
	expect(text.length).toBeGreaterThan(20e6);
	const begin = process.cpuUsage();
	const reading = readHar(text);
	const { user } = process.cpuUsage(begin);
	expect(reading.kind).toBe('read');
	expect(user / 1000).toBeLessThan(2000);
});
