import { readHar } from '#evidence/har/read-har.ts';
import type { ReadReply, ReadRequest } from './read-messages.ts';

/** The file, until the page ends the worker. */
let text = '';

const reply = (message: ReadReply) => postMessage(message);

addEventListener('message', ({ data: { file, options } }: MessageEvent<ReadRequest>) => {
	const work = async () => {
		if (file !== undefined) text = await read(file);
		if (/"tollgate-traffic"|"_tollgate":\s*\{\s*"seq"/.test(text.slice(0, 20_000))) reply({ kind: 'own' });
		else reply({ kind: 'reading', reading: readHar(text, options) });
	};
	// The page gets it as an error of the worker.
	work().catch(reportError);
});

/** The text of a file, with its progress. */
async function read(file: Blob): Promise<string> {
	const decoder = new TextDecoder();
	const reader = file.stream().getReader();
	let [found, bytes] = ['', 0];
	for (let part = await reader.read(); !part.done; part = await reader.read()) {
		found += decoder.decode(part.value, { stream: true });
		bytes += part.value.length;
		reply({ kind: 'progress', done: bytes / file.size });
	}
	return found + decoder.decode();
}
