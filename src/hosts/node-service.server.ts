import { hash, scrypt as scryptCallback } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { allRules } from '#evidence/all-rules.ts';
import type { LessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import { assembleService } from '#service/assemble-service.ts';
import { createAgentServer, type HandleAgentMessage } from '#service/resource/agent-server.ts';
import { createClassReports } from '#service/class/class-reports.ts';
import { withClasses } from '#service/control/classes.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import type { Service } from '#service/service.ts';
import type { DocumentHost, ServiceOptions } from '#service/core/options.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { Store } from '#store/store.ts';
import { createDocumentHost } from './node/client-documents.server.ts';
import { pooledRandom } from './web-service.ts';
import { isLoopback } from './security-headers.ts';

const serviceKey = Symbol.for('tollgate.service');
const storeKey = Symbol.for('tollgate.store');

/** What a host on Node chooses about its service. Node provides the rest. */
export type NodeServiceOptions = Pick<
	ServiceOptions,
	| 'origin'
	| 'trustedProxies'
	| 'adminKey'
	| 'sandboxPerVisitor'
	| 'classSeats'
	| 'caFile'
	| 'ca'
	| 'secret'
	| 'hasOtherServers'
	| 'traffic'
	| 'world'
	| 'report'
	| 'observe'
	| 'onLogged'
	| 'documents'
> & {
	/** The lesson files of the server. */
	readonly lessons?: readonly LessonFile[] | undefined;
	/** False: it fetches no document of a client. Default: true. */
	readonly fetchesDocuments?: boolean;
	readonly store?: Store<Records>;
	/** The current time in milliseconds since 1970. Default: the machine's clock. */
	readonly now?: () => number;
	/** Default: scrypt of `node:crypto`. */
	readonly scrypt?: ServiceOptions['scrypt'];
};

/**
 * Creates a service that runs on Node, with randomness, digest and scrypt from `node:crypto`. The default clock is the machine's,
 * the default store is in memory. The caller calls `purge` from time to time.
 */
export function createNodeService(options: NodeServiceOptions): Service {
	const complete: ServiceOptions = {
		...options,
		store: options.store ?? createMemoryStore(recordLimits),
		now: options.now ?? Date.now,
		timer: () => performance.now(),
		random: pooledRandom(),
		digest: (text) => hash('sha256', text, 'base64url'),
		scrypt: options.scrypt ?? scrypt,
		subtle: crypto.subtle,
		sleep,
		documents: options.fetchesDocuments === false ? undefined : (options.documents ?? documentHostOf(options))
	};
	const classes = withClasses(createClassReports(allRules, options.lessons));
	return assembleService(complete, classes, undefined, createAgentServer(handleAgentMessage));
}

/** Loads the server for agents with the first message. Most services never get one. */
const handleAgentMessage: HandleAgentMessage = async (request, tools) =>
	(await import('./agent-messages.server.ts')).handleAgentMessage(request, tools);

/** A service that other machines reach needs a key, see `readConfig`. Any other may fetch documents from this machine. */
function documentHostOf({ origin, trustedProxies = 0, adminKey }: NodeServiceOptions): DocumentHost {
	const isPrivate = adminKey === undefined && trustedProxies === 0 && isLoopback(new URL(origin).hostname);
	return createDocumentHost({ allowsLoopback: isPrivate });
}

/** The service of this process, if a bundle has set it. SvelteKit's bundle and the node entry share no module. */
export function getSharedService(): Service | undefined {
	const found: unknown = Reflect.get(globalThis, serviceKey);
	return isService(found) ? found : undefined;
}

/** Sets the service of this process, for all bundles. */
export function setSharedService(service: Service): void {
	Reflect.set(globalThis, serviceKey, service);
}

/** The store of this process. It survives a reload of the service (`npm run dev`). */
export function getSharedStore(): Store<Records> {
	const found: unknown = Reflect.get(globalThis, storeKey);
	if (isStore(found)) return found;
	const store = createMemoryStore(recordLimits);
	Reflect.set(globalThis, storeKey, store);
	return store;
}

function isService(value: unknown): value is Service {
	return typeof value === 'object' && value !== null && 'handle' in value && 'purge' in value;
}

function isStore(value: unknown): value is Store<Records> {
	return typeof value === 'object' && value !== null && 'forSandbox' in value && 'drop' in value;
}

/**
 * Resolves after this number of milliseconds. After 0, the requests that have arrived were handled: Node runs timers that are due
 * one after the other, and looks at connections only then.
 */
export function sleep(milliseconds: number): Promise<void> {
	// A program that is done does not wait for the next heartbeat of a stream.
	return milliseconds === 0 ? setImmediate() : setTimeout(milliseconds, undefined, { ref: false });
}

function scrypt(password: string, salt: Uint8Array): Promise<Uint8Array> {
	return new Promise((resolve, reject) => {
		scryptCallback(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 }, (error, key) => {
			if (error) reject(error);
			else resolve(key);
		});
	});
}
