// Event streams and calls of a benchmark that keeps hundreds of connections open.
import { request } from 'node:https';

/** @typedef {import('node:https').Agent} Agent */
/** @typedef {{ headers: Record<string, string>, onEvent?: (name: string, data: string) => void }} Reader */

/**
 * Opens an event stream. Resolves with its status.
 * @param {string} url @param {Agent} agent @param {Reader} reader
 * @returns {Promise<{ status: number, close: () => void }>}
 */
export function follow(url, agent, { headers, onEvent }) {
	return new Promise((resolve, reject) => {
		const sent = request(url, { agent, headers }, (response) => {
			let text = '';
			if (onEvent === undefined) response.resume();
			else
				response.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
					const blocks = (text + chunk).split('\n\n');
					text = blocks.pop() ?? '';
					for (const block of blocks) {
						const name = /^event: (.*)$/m.exec(block)?.[1];
						const data = /^data: (.*)$/m.exec(block)?.[1];
						if (name !== undefined && data !== undefined) onEvent(name, data);
					}
				});
			response.on('error', () => undefined);
			resolve({ status: response.statusCode ?? 0, close: () => sent.destroy() });
		});
		sent.on('error', reject).end();
	});
}

/** @param {string} url @param {Agent} agent @returns {Promise<{ status: number, body: string }>} */
export function post(url, agent) {
	return new Promise((resolve, reject) => {
		const sent = request(url, { method: 'POST', agent }, (response) => {
			let body = '';
			response.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => (body += chunk));
			response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
		});
		sent.on('error', reject).end();
	});
}
