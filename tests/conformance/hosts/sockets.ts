import { connect, type TLSSocket } from 'node:tls';
import type { RawResponse, TestRequest, RawStream, Transport } from '../transport.ts';
import { ResponseReader } from './response-reader.ts';

/** How long a response may take, in milliseconds. */
const responseTimeout = 60_000;
/** How long an idle connection is used again, in milliseconds. Servers keep it for at least 5 s, so it is still open. */
const freshness = 2_000;
const mostConnections = 80;

type Idle = { readonly socket: TLSSocket; readonly since: number };

/**
 * A client over raw TLS sockets: sends what no HTTP library would, and sees a connection closed without a byte.
 * @param origin of a server on this machine, whose certificate is not looked at
 * @param port where the server listens, if that is not the port of the origin
 */
export function socketTransport(
	origin: string,
	close: () => Promise<void>,
	port = Number(new URL(origin).port)
): Transport {
	const { host } = new URL(origin);
	const idle = new Map<string, Idle[]>();
	const waiting: (() => void)[] = [];
	let open = 0;

	async function acquire(from: string): Promise<TLSSocket> {
		while (open >= mostConnections) await new Promise<void>((resolve) => waiting.push(resolve));
		open++;
		for (;;) {
			const last = idle.get(from)?.pop();
			if (last === undefined) return dial(port, from);
			if (!last.socket.destroyed && performance.now() - last.since < freshness) return last.socket;
			last.socket.destroy();
		}
	}

	function release(from: string, socket: TLSSocket, isReusable: boolean): void {
		open--;
		if (!isReusable) socket.destroy();
		else idle.set(from, [...(idle.get(from) ?? []), { socket, since: performance.now() }]);
		waiting.shift()?.();
	}

	return {
		origin,
		async send(sent) {
			const from = sent.from ?? '127.0.0.1';
			const socket = await acquire(from);
			let isReusable = false;
			try {
				const reader = await exchange(socket, bytesOf(sent, host), new ResponseReader(sent.method === 'HEAD'));
				isReusable = reader.isReusable;
				return receivedFrom(reader);
			} finally {
				release(from, socket, isReusable);
			}
		},
		async stream(sent) {
			const socket = await dial(port, sent.from ?? '127.0.0.1');
			return streamFrom(socket, bytesOf(sent, host));
		},
		async close() {
			for (const { socket } of [...idle.values()].flat()) socket.destroy();
			await close();
		}
	};
}

function dial(port: number, localAddress: string): Promise<TLSSocket> {
	return new Promise((resolve, reject) => {
		const options = { port, host: '127.0.0.1', localAddress, servername: 'localhost', rejectUnauthorized: false };
		const socket = connect(options);
		socket.once('secureConnect', () => {
			socket.off('error', reject);
			socket.on('error', () => undefined);
			resolve(socket);
		});
		socket.once('error', reject);
	});
}

function bytesOf(
	{ method = 'GET', target, headers = [], body = '', inChunks = false }: TestRequest,
	host: string
): Buffer {
	const bytes = inChunks ? chunksOf(Buffer.from(body)) : Buffer.from(body);
	const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`];
	for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at] ?? ''}: ${headers[at + 1] ?? ''}`);
	if (inChunks) lines.push('Transfer-Encoding: chunked');
	else if (bytes.length > 0 || method === 'POST') lines.push(`Content-Length: ${bytes.length}`);
	return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

function chunksOf(bytes: Buffer): Buffer {
	const chunks: Buffer[] = [];
	for (let at = 0; at < bytes.length; at += 1000) {
		const chunk = bytes.subarray(at, at + 1000);
		chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
	}
	return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

/** Sends, and waits until the response is whole or the connection has closed. */
function exchange(socket: TLSSocket, bytes: Buffer, reader: ResponseReader): Promise<ResponseReader> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => {
			socket.destroy();
			reject(new Error(`No complete response in ${responseTimeout} ms to ${bytes.toString('latin1', 0, 200)}`));
		}, responseTimeout);
		const finish = () => {
			clearTimeout(timer);
			socket.off('data', take).off('close', closed);
			resolve(reader);
		};
		const take = (data: Buffer) => {
			reader.push(data);
			if (reader.isDone) finish();
		};
		const closed = () => {
			reader.end();
			finish();
		};
		socket.on('data', take).on('close', closed);
		socket.write(bytes);
	});
}

function receivedFrom(reader: ResponseReader): RawResponse | undefined {
	if (reader.head === undefined) return undefined;
	return { ...reader.head, body: reader.body, ...(reader.isDone ? {} : { isTruncated: true }) };
}

async function streamFrom(socket: TLSSocket, bytes: Buffer): Promise<RawStream> {
	const reader = new ResponseReader(false);
	let wake = () => {};
	socket.on('data', (data: Buffer) => {
		reader.push(data);
		wake();
	});
	socket.on('close', () => wake());
	const until = async (isSo: () => boolean) => {
		while (!isSo() && !socket.destroyed) await new Promise<void>((resolve) => (wake = resolve));
	};
	socket.write(bytes);
	await until(() => reader.head !== undefined);
	if (reader.head === undefined) throw new Error('The connection closed before a response came.');
	return {
		...reader.head,
		async next() {
			await until(() => reader.pieces.length > 0 || reader.isDone);
			return reader.pieces.length === 0 ? undefined : Buffer.concat(reader.pieces.splice(0)).toString('utf8');
		},
		close: () => void socket.destroy()
	};
}
