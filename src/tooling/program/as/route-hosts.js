// Runs in the process of a program, before its own modules: `node --import route-hosts.js`.
import { isIP, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * @typedef {object} Routes what `tollgate as` sets in TOLLGATE_ROUTES
 * @property {string} hosts a regular expression for the hosts of the providers
 * @property {number} port of this machine, where their TLS connections go
 * @property {number} plainPort where connections to their port 80 go
 */

/** @type {Partial<Routes>} */
const { hosts, port, plainPort } = JSON.parse(process.env.TOLLGATE_ROUTES || '{}');
if (hosts !== undefined) {
	const pattern = new RegExp(hosts);
	const { connect } = Socket.prototype;
	/** All of `fetch`, `node:http`, `node:https`, `node:http2` and `node:tls` connect by this method. Other hosts get the same arguments. */
	Object.defineProperty(Socket.prototype, 'connect', {
		configurable: true,
		writable: true,
		/**
		 * @this {Socket}
		 * @param {unknown[]} args
		 */
		value(...args) {
			// Node itself passes an array of the options and the callback.
			const [first, ...rest] = Array.isArray(args[0]) ? args[0] : args;
			const given = optionsOf(first, rest);
			// A program may have looked the address up. Requests in plain text have the name of their header here.
			const isByAddress = this instanceof TLSSocket && isIP(nameOf(given.host)) > 0 && !isLocal(nameOf(given.host));
			const names = [given.host, isByAddress ? given.servername : undefined].map(nameOf);
			if (given.path || !names.some((name) => pattern.test(name))) return Reflect.apply(connect, this, args);
			const to = Number(given.port) === 80 ? plainPort : port;
			const { lookup: _lookup, ...others } = given;
			return Reflect.apply(connect, this, [{ ...others, host: '127.0.0.1', port: to }, rest.find(isCallback)]);
		}
	});
}

/**
 * @param {unknown} first options, a port, or the path of a socket
 * @param {unknown[]} rest
 * @returns {Record<string, unknown>}
 */
function optionsOf(first, rest) {
	if (typeof first === 'object' && first !== null) return { ...first };
	return Number.isInteger(Number(first)) ? { port: first, host: rest[0] } : { path: first };
}

/** @param {unknown} host */
function nameOf(host) {
	return typeof host === 'string' ? host.toLowerCase().replace(/\.$/, '') : '';
}

/** @param {string} address */
function isLocal(address) {
	return address === '::1' || address.startsWith('127.');
}

/** @param {unknown} value */
function isCallback(value) {
	return typeof value === 'function';
}
