import { createServer } from 'node:http';

/** A page of another site, where cookies of the server are those of a third party. */
export type Site = {
	readonly origin: string;
	/** What its page contains. */
	show(content: string): void;
	close(): void;
};

/** Serves one page, whose script collects the messages that it gets in `got`. */
export async function openSite(): Promise<Site> {
	let content = '';
	const server = createServer((_, response) => {
		response.setHeader('Content-Type', 'text/html');
		response.end(content);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const listener = '<script>got = []; onmessage = ({ origin, data }) => got.push({ origin, ...data })</script>';
	return {
		origin: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
		show: (frame) => (content = `<!doctype html><html lang="en"><title>Course</title>${listener}${frame}`),
		close: () => server.close()
	};
}

/** A frame that fills the page. */
export const frameOf = (src: string) =>
	`<iframe title="Tollgate" src="${src}" style="width: 100%; height: 700px; border: 0"></iframe>`;
