import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A raw connection, for what no HTTP client would send. */
export class Wire {
	readonly socket: Socket;
	/** What has come so far, a character a byte. */
	received = '';
	/** Resolves when the connection has closed, however it did. */
	readonly closed: Promise<void>;
	#isClosed = false;
	#waiting: (() => void)[] = [];

	constructor(socket: Socket) {
		this.socket = socket;
		const wake = () => this.#waiting.splice(0).forEach((resolve) => resolve());
		socket.setEncoding('latin1');
		socket.on('data', (text: string) => {
			this.received += text;
			wake();
		});
		socket.on('error', () => undefined);
		this.closed = new Promise((resolve) => {
			socket.once('close', () => {
				this.#isClosed = true;
				resolve();
				wake();
			});
		});
	}

	get isClosed(): boolean {
		return this.#isClosed;
	}

	send(text: string): this {
		this.socket.write(text, 'latin1');
		return this;
	}

	/** Waits until what came contains `text` so many times. */
	async until(text: string, times = 1): Promise<string> {
		while (this.received.split(text).length <= times) {
			if (this.#isClosed) throw new Error(`closed before "${text}": ${JSON.stringify(this.received)}`);
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
		}
		return this.received;
	}

	/** Waits for the other end to close; returns all that came. */
	async end(): Promise<string> {
		await this.closed;
		return this.received;
	}

	close(): void {
		this.socket.destroy();
	}
}

/** Opens a TLS connection whose certificate is not looked at. */
export async function openWire(port: number, host = '127.0.0.1'): Promise<Wire> {
	const socket = connectTls({ port, host, servername: 'localhost', rejectUnauthorized: false });
	await new Promise((resolve, reject) => socket.once('secureConnect', () => resolve(undefined)).once('error', reject));
	return new Wire(socket);
}

/** Opens a TCP connection that speaks no TLS. */
export async function openPlain(port: number): Promise<Wire> {
	const socket = connectPlain({ port, host: '127.0.0.1' });
	await new Promise((resolve, reject) => socket.once('connect', () => resolve(undefined)).once('error', reject));
	return new Wire(socket);
}

/** The head of a request to a server on a port. */
export function head(line: string, port: number, ...more: string[]): string {
	return [`${line} HTTP/1.1`, `Host: localhost:${port}`, ...more, '', ''].join('\r\n');
}
