import runtime from '#write/program/runtime.js?raw';
import type { OpenRealm } from '#write/program/program.ts';

/** Runs programs in this realm. An endless loop ends the test, too. */
export const openFunctionRealm: OpenRealm = async () => {
	const { port1, port2 } = new MessageChannel();
	// The runtime is evaluated as a text in the browser, too.
	const start: unknown = Reflect.apply(globalThis.eval, undefined, [runtime]);
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
