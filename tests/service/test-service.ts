import { hash, randomBytes } from 'node:crypto';
import { handleAgentMessage } from '#hosts/agent-messages.server.ts';
import { assembleService } from '#service/assemble-service.ts';
import { createAgentServer } from '#service/resource/agent-server.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import type { Service } from '#service/service.ts';
import type { OpenClasses } from '#service/control/classes.ts';
import type { ServiceOptions } from '#service/core/options.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { Store } from '#store/store.ts';
import { directTransport } from '../conformance/hosts/direct.ts';
import { fastScrypt } from '../conformance/hosts/fast-scrypt.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import type { Transport } from '../conformance/transport.ts';

/** A service with a clock that only a test moves and a fast password hash. It counts its calls of the host. */
export type TestService = {
	readonly service: Service;
	readonly options: ServiceOptions;
	readonly transport: Transport;
	readonly store: Store<Records>;
	/** The real clock, in milliseconds. */
	clock: number;
	/** How often each function of the host was called. */
	readonly calls: { digest: number; scrypt: number };
	/** The unexpected errors that the service reported. */
	readonly faults: unknown[];
	sandbox(): Promise<Sandbox>;
};

/** @param options in place of the default ones */
export function createTestService(options: Partial<ServiceOptions> = {}, openClasses?: OpenClasses): TestService {
	const store = options.store ?? createMemoryStore(recordLimits);
	const faults: unknown[] = [];
	const state = { clock: 1_795_255_200_000, calls: { digest: 0, scrypt: 0 }, faults };
	const complete: ServiceOptions = {
		origin: 'https://tollgate.test',
		now: () => state.clock,
		random: (count) => new Uint8Array(randomBytes(count)),
		digest: (text) => {
			state.calls.digest++;
			return hash('sha256', text, 'base64url');
		},
		scrypt: (password, salt) => {
			state.calls.scrypt++;
			return fastScrypt(password, salt);
		},
		subtle: crypto.subtle,
		sleep: () => Promise.resolve(),
		report: (fault) => faults.push(fault),
		...options,
		store
	};
	const service = assembleService(complete, openClasses, undefined, createAgentServer(handleAgentMessage));
	const transport = directTransport(service, complete.origin);
	return Object.assign(state, {
		service,
		options: complete,
		transport,
		store,
		sandbox: () => Sandbox.create(transport)
	});
}
