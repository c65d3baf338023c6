import { toClientError } from '#client/oauth/client-error.ts';
import { characterPath, patterns } from '#client/service-urls.ts';
import { burst as herdSize } from '#evidence/lesson-file/numbers.ts';
import type { ViewerClient } from '#features/viewer/client.ts';

/** How long after the reset the first one returns, in milliseconds: clocks differ by less. */
const margin = 2000;

/** When each client returned, in milliseconds since 1970 by the clock of the service. */
export type Returns = { readonly rejected: number; readonly at: readonly number[] };

type Options = {
	readonly userId: string;
	/** Up to how much longer than the reset a client waits, in seconds. */
	readonly spread: number;
	readonly signal: AbortSignal;
	readonly onreturn: (returns: Returns) => void;
};

/**
 * Sends one request for each of many clients at once. Those over the limit wait for the reset that their response names, and send once more.
 * Resolves when all have their last response, or when it is aborted.
 */
export async function runHerd(client: ViewerClient, { userId, spread, signal, onreturn }: Options): Promise<void> {
	const { resources, clock, environment, world } = client;
	const names = world.viewer.shows;
	let rejected = 0;
	let at: readonly number[] = [];
	const read = async (name: string) => {
		const request = { tokenSetId: userId, pattern: patterns.character, ignoreLimits: true, signal };
		try {
			await resources.get(characterPath(name, world.resource.path), request);
			return true;
		} catch (thrown) {
			return toClientError(thrown).code !== 'rate_limit_exceeded';
		}
	};
	const start = async (name: string) => {
		if (await read(name)) return;
		rejected += 1;
		onreturn({ rejected, at });
		const reset = resources.tracker.get(patterns.character)?.reset ?? clock.now();
		const wait = reset + margin - clock.now() + environment.random() * spread * 1000;
		try {
			await environment.sleep(Math.max(0, wait), signal);
		} catch {
			return;
		}
		at = [...at, clock.now()];
		onreturn({ rejected, at });
		await read(name);
	};
	await Promise.all(Array.from({ length: herdSize }, (_, index) => start(names[index % names.length] ?? '')));
}
