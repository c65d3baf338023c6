// What a program runs in: its modules, and the bridge to the page. It is evaluated as a text, in a worker without any rights and in
// tests, so it imports nothing.
/** @typedef {import('./messages.ts').ToProgram} ToProgram */
/** @typedef {import('./program.ts').ReceivedResponse} ReceivedResponse */
/** @typedef {(...parameters: unknown[]) => unknown} Callable */
/** @typedef {(kind: string, value: unknown) => Promise<unknown>} Ask */
/** @typedef {{ maxText: number, copyOf: (value: unknown) => unknown, describeShort: (value: unknown) => string, inOwnWords: (error: Error) => string }} Words */
/** @typedef {(ask: Ask, ahead: () => number) => { now: () => number, globals: Record<string, unknown> }} CreateClock */

(function defineRuntime() {
	/** @param {CreateClock} createClock @param {Words} words */
	return function createRuntime(createClock, { maxText, copyOf, describeShort, inOwnWords }) {
		/** @type {Map<number, { resolve: (value: unknown) => void, reject: (error: Error) => void, line: number | undefined }>} */
		const waiting = new Map();
		/** The lines whose requests the page rejected: the stack of such an error begins at the bridge. @type {WeakMap<Error, number | undefined>} */
		const askedAt = new WeakMap();
		/** That of this machine: the program gets others. */
		const { Date } = globalThis;
		let last = 0;
		/** More than the limits of a run allow: the page ends the program there, and need not read what a loop sends until then. */
		const maxMessages = 3000;
		let sent = 0;

		/** The line of the program in a stack. Firefox does not use the name that the source gives itself. @param {string} [stack] */
		function lineIn(stack = '') {
			const found = /client\.ts:(\d+)/.exec(stack) ?? /> eval:(\d+)/.exec(stack);
			return found === null ? undefined : Number(found[1]);
		}

		/** The line of the program that runs. */
		const here = () => lineIn(new Error().stack);

		/** @param {unknown} error */
		function failure(error) {
			const isError = error instanceof Error;
			return {
				name: isError ? error.name : 'Error',
				message: describeShort(isError ? inOwnWords(error) : error),
				line: isError ? (lineIn(error.stack) ?? askedAt.get(error)) : undefined
			};
		}

		/** @param {MessagePort} port */
		return function start(port) {
			/** @param {object} message */
			function post(message) {
				if (++sent <= maxMessages) port.postMessage(message);
			}

			/** @param {string} kind @param {unknown} value @param {number} [line] @returns {Promise<unknown>} */
			function ask(kind, value, line) {
				const id = ++last;
				return new Promise((resolve, reject) => {
					waiting.set(id, { resolve, reject, line });
					post({ type: 'request', id, kind, value, line });
				});
			}

			/**
			 * @param {boolean} asPage whether CORS applies
			 * @param {RequestInfo | URL} input
			 * @param {RequestInit} [init]
			 */
			async function send(asPage, input, init) {
				const line = here();
				const request = new Request(input, init);
				const body = new Uint8Array(await request.arrayBuffer());
				const { method, url, redirect, signal } = request;
				signal.throwIfAborted();
				const sent = ask('fetch', { asPage, method, url, redirect, headers: [...request.headers], body }, line);
				const aborted = new Promise((_, reject) => {
					signal.addEventListener('abort', () => {
						/** @type {unknown} */
						const reason = signal.reason;
						reject(reason instanceof Error ? reason : new Error('The request was aborted.'));
					});
				});
				const received = /** @type {ReceivedResponse} */ (await Promise.race([sent, aborted]));
				const isBodiless = [101, 204, 205, 304].includes(received.status) || method === 'HEAD';
				const content = received.isCut
					? new ReadableStream({
							start(controller) {
								controller.enqueue(new TextEncoder().encode(received.body));
								controller.error(new TypeError('The response ended too early.'));
							}
						})
					: received.body;
				const response = new Response(isBodiless ? null : content, {
					status: received.status,
					headers: received.headers
				});
				return Object.defineProperty(response, 'url', { value: received.url });
			}

			/** @param {RequestInfo | URL} input @param {RequestInit} [init] */
			const fetch = (input, init) => send(false, input, init);

			/** @param {'log' | 'error'} level */
			const write =
				(level) =>
				/** @param {unknown[]} values */
				(...values) =>
					post({
						type: 'log',
						level,
						text: values.map(describeShort).join(' ').slice(0, maxText),
						line: here()
					});
			const log = write('log');
			const error = write('error');
			const nothing = () => undefined;
			const console = {
				...{
					log,
					info: log,
					debug: log,
					dir: log,
					dirxml: log,
					table: log,
					group: log,
					groupCollapsed: log,
					trace: log
				},
				...{ time: nothing, timeEnd: nothing, timeLog: nothing, count: log, countReset: nothing, groupEnd: nothing },
				...{ clear: nothing, warn: error, error },
				/** @param {unknown} isTrue @param {unknown[]} values */
				assert: (isTrue, ...values) => void (isTrue || error('Assertion failed', ...values))
			};

			/** What the program does not catch. @param {string} how @param {unknown} thrown */
			function report(how, thrown) {
				const { message, line } = failure(thrown);
				post({ type: 'log', level: 'thrown', text: `${how}: ${message}`, line });
			}

			/** A worker of an origin that nothing else has is no secure context: its own `crypto` lacks what is here. */
			const random = globalThis.crypto;
			const crypto = {
				/** @param {Uint8Array<ArrayBuffer>} bytes */
				getRandomValues: (bytes) => random.getRandomValues(bytes),
				randomUUID() {
					const bytes = random.getRandomValues(new Uint8Array(16));
					bytes[6] = ((bytes[6] ?? 0) & 15) | 64;
					bytes[8] = ((bytes[8] ?? 0) & 63) | 128;
					const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
					return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
				},
				subtle: {
					/** @param {AlgorithmIdentifier} algorithm @param {BufferSource} data */
					digest: (algorithm, data) => ask('digest', [typeof algorithm === 'string' ? algorithm : algorithm.name, data])
				}
			};

			const storage = {
				/** @param {string} key */
				get: (key) => ask('get', key, here()),
				/** @param {string} key @param {unknown} value */
				set: (key, value) => ask('set', [key, value], here()),
				/** @param {string} key */
				delete: (key) => ask('delete', key, here())
			};
			const browser = {
				/** @param {string | URL} url */
				async open(url) {
					const line = here();
					return new URL(String(await ask('open', String(url), line)));
				},
				/** @param {RequestInfo | URL} input @param {RequestInit} [init] */
				fetch: (input, init) => send(true, input, init)
			};
			/** How far the clock of the exercise is ahead of the one of this machine, in milliseconds. */
			let ahead = 0;
			const { now, globals } = createClock(ask, () => ahead);
			const clock = {
				now,
				/** @param {number} milliseconds */
				async sleep(milliseconds) {
					await ask('sleep', milliseconds, here());
				}
			};
			const own = { fetch, console, crypto, ...globals };

			/**
			 * Evaluates modules, each once.
			 * @param {Readonly<Record<string, string>>} sources CommonJS, by path
			 * @param {unknown} config
			 */
			function createLoader(sources, config) {
				/** @type {unknown} */
				let evaluated;
				/** @type {Record<string, { exports: Record<string, unknown> }>} */
				const modules = { surroundings: { exports: { config, storage, browser, clock } } };
				/** @param {string} from */
				const requireFrom = (from) => (/** @type {string} */ specifier) => {
					const path = resolve(specifier, from);
					const known = modules[path];
					if (known !== undefined) return known.exports;
					const source = sources[path];
					if (source === undefined) throw new Error(`There is no module “${specifier}” here.`);
					const module = { exports: {} };
					modules[path] = module;
					/** @type {Callable} */
					// Indirect, so that it sees globals only. The first line of the source stays the first line.
					const evaluate = (0, eval)(
						`(${path === 'client' ? 'async ' : ''}function (require, module, exports, ${Object.keys(own).join()}) {${source}\n})\n//# sourceURL=${path === 'client' ? 'client.ts' : path}`
					);
					const inner = requireFrom(path);
					const require = (/** @type {string} */ name) =>
						path === 'client' ? onlyExported(name, inner(name)) : inner(name);
					evaluated = evaluate(require, module, module.exports, ...Object.values(own));
					return module.exports;
				};
				return async (/** @type {string} */ specifier) => {
					const loaded = requireFrom('')(specifier);
					await evaluated;
					return loaded;
				};
			}

			/** @param {string} specifier @param {Record<string, unknown>} exports */
			function onlyExported(specifier, exports) {
				return new Proxy(exports, {
					get(target, name) {
						if (typeof name === 'string' && !(name in target) && !['__esModule', 'default', 'then'].includes(name))
							throw new Error(`The module “${specifier}” exports no “${name}”.`);
						/** @type {unknown} */
						const value = Reflect.get(target, name);
						return value;
					}
				});
			}

			/** @param {string} specifier @param {string} from */
			function resolve(specifier, from) {
				if (!specifier.startsWith('.')) return specifier;
				const path = from.split('/').slice(0, -1);
				for (const part of specifier.split('/'))
					if (part === '..') path.pop();
					else if (part !== '.') path.push(part);
				return path.join('/').replace(/\.ts$/, '');
			}

			/** @type {Record<string, unknown>} */
			let exported = {};

			/** @param {ToProgram} message */
			async function receive(message) {
				ahead = message.now - Date.now();
				switch (message.type) {
					case 'ping':
						return port.postMessage({ type: 'pong' });
					case 'response': {
						const asked = waiting.get(message.id);
						waiting.delete(message.id);
						if (message.error === undefined) return asked?.resolve(message.value);
						const error = new (message.error.name === 'TypeError' ? TypeError : Error)(message.error.message);
						askedAt.set(error, asked?.line);
						return asked?.reject(error);
					}
					case 'start':
						try {
							exported = await createLoader(message.modules, message.config)('./client');
							port.postMessage({ type: 'started', names: Object.keys(exported) });
						} catch (error) {
							port.postMessage({ type: 'failed', error: failure(error) });
						}
						return;
					case 'call':
						try {
							const called = exported[message.name];
							if (typeof called !== 'function') throw new Error(`The program exports no function ${message.name}().`);
							/** @type {unknown} */
							const value = await Reflect.apply(called, undefined, message.parameters);
							port.postMessage({ type: 'returned', id: message.id, value: copyOf(value), text: describeShort(value) });
						} catch (error) {
							port.postMessage({ type: 'threw', id: message.id, error: failure(error) });
						}
				}
			}

			port.onmessage = (/** @type {MessageEvent<ToProgram>} */ { data }) => void receive(data);
			return { globals: own, report };
		};
	};
})();
