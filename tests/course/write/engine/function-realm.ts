import { runtimeText } from '#course/write/engine/program/frame-realm.ts';
import type { OpenRealm } from '#course/write/engine/program/program.ts';

type Ports = Pick<MessageChannel, 'port1' | 'port2'>;

/** Runs programs in this realm. An endless loop ends the test, too. */
export const functionRealm =
	(connect: () => Ports): OpenRealm =>
	async () => {
		const { port1, port2 } = connect();
		// The runtime is evaluated as a text in the browser, too.
		const start: unknown = Reflect.apply(globalThis.eval, undefined, [runtimeText]);
		if (typeof start !== 'function') throw new TypeError('The runtime is no function.');
		start(port2);
		return {
			port: port1,
			end: () => {
				port1.close();
				port2.close();
			}
		};
	};

export const openFunctionRealm: OpenRealm = functionRealm(() => new MessageChannel());

/** Ports whose messages arrive as soon as the code that runs has ended. */
export function directPorts(): Ports {
	const ports = new MessageChannel();
	const { port1, port2 } = ports;
	const send = (to: MessagePort) => (data: unknown) =>
		queueMicrotask(() => to.onmessage?.(new MessageEvent('message', { data })));
	port1.postMessage = send(port2);
	port2.postMessage = send(port1);
	return ports;
}
