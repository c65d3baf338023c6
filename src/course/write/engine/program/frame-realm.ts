import { PartMissing } from './modules.ts';
import type { OpenRealm } from './program.ts';
import clock from './runtime-clock.js?raw';
import runtime from './runtime.js?raw';
import words from './runtime-words.js?raw';

const expression = (text: string) => text.trim().replace(/;$/, '');

/** What a program runs in, as an expression: a function that gets the port of the bridge. */
export const runtimeText = `(${expression(runtime)})(${expression(clock)},\n${expression(words)})`;

/** What the frame does: it starts one worker, and gives it the port. Programs run in the worker only. */
const frameScript = `onmessage = ({ data, ports }) => {
	onmessage = null;
	const worker = new Worker(URL.createObjectURL(new Blob([data], { type: 'text/javascript' })));
	worker.postMessage(null, ports);
};`;

/** What the worker does before any program: a program finds the bridge only, and cannot start further workers. */
const workerScript = `const createRuntime = ${runtimeText};
onmessage = ({ ports: [port] }) => {
	onmessage = null;
	const replace = (name, value) => {
		// Some are of a prototype, and would be found there.
		for (let owner = self; owner !== null; owner = Object.getPrototypeOf(owner)) Reflect.deleteProperty(owner, name);
		Object.defineProperty(self, name, { value });
	};
	for (const name of ['Worker', 'SharedWorker', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'WebTransport', 'EventSource', 'FontFace', 'importScripts', 'BroadcastChannel', 'caches', 'indexedDB', 'postMessage', 'close']) replace(name);
	const { globals, report } = createRuntime(port);
	for (const [name, value] of Object.entries(globals)) replace(name, value);
	addEventListener('unhandledrejection', (event) => {
		event.preventDefault();
		report('Unhandled rejection', event.reason);
	});
	addEventListener('error', (event) => {
		event.preventDefault();
		report('Uncaught error', event.error ?? event.message);
	});
	Error.stackTraceLimit = 50;
};`;

/**
 * Opens realms in the browser. Each is a new frame with an origin that nothing else has (`sandbox` without `allow-same-origin`), a new
 * worker in it and a new port: a message of an earlier run cannot arrive. The frame has no network by its policy.
 * @param base the path of the site, without a trailing slash
 */
export function openFrameRealm(base: string): OpenRealm {
	return async (lost) => {
		const outer = hiddenFrame(document);
		outer.src = `${base}/program-frame.html`;
		await loaded(outer, () => document.body.append(outer));
		const inner = outer.contentDocument;
		// The page of an error in its place is of another origin.
		if (inner === null) {
			outer.remove();
			throw new PartMissing();
		}
		const frame = hiddenFrame(inner);
		frame.sandbox.add('allow-scripts');
		frame.srcdoc = `<!doctype html><script>${frameScript}</script>`;
		await loaded(frame, () => inner.body.append(frame));
		frame.addEventListener('load', () => lost('Stopped. The frame of the program left its document.'));
		const { port1, port2 } = new MessageChannel();
		frame.contentWindow?.postMessage(workerScript, '*', [port2]);
		return { port: port1, end: () => outer.remove() };
	};
}

function hiddenFrame(parent: Document): HTMLIFrameElement {
	const frame = parent.createElement('iframe');
	frame.hidden = true;
	frame.title = 'Program';
	return frame;
}

function loaded(frame: HTMLIFrameElement, add: () => void): Promise<void> {
	return new Promise((resolve) => {
		frame.addEventListener('load', () => resolve(), { once: true });
		add();
	});
}
