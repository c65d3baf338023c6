import { SvelteMap } from 'svelte/reactivity';
import { dialectNames } from '#api/dialect.ts';
import { ControlError } from '#client/control-api/control-error.ts';
import { deviations, type Difference, type DifferenceGroup } from '#evidence/differences/difference.ts';
import { differences } from '#evidence/differences/differences.ts';
import type { DialectPair, SentDifference } from './dialect-pair.ts';

/** What was sent for a difference. */
export type DifferenceResult = {
	readonly sent: SentDifference;
	/** Milliseconds since 1970. */
	readonly at: number;
	/** Where a response is other than documented. */
	readonly deviations: readonly string[];
};

/** The list of differences, which one is open, and what was sent. */
export class Standards {
	group: DifferenceGroup | 'all' = $state('all');
	/** The difference whose requests are being sent, or the sign-in. */
	sending: string | undefined = $state();
	/** The token requests of the latest sign-in. */
	signedIn: DifferenceResult | undefined = $state.raw();
	/** Why the latest requests were not sent, or had no response. */
	problem: string | undefined = $state();
	readonly results = new SvelteMap<string, DifferenceResult>();
	readonly shown: readonly Difference[] = $derived(
		differences.filter(({ group }) => this.group === 'all' || group === this.group)
	);
	/** The base URLs of the two sandboxes, once there are. */
	pair: DialectPair | undefined = $state.raw();
	readonly #create: () => Promise<DialectPair>;

	/** @param create creates the two sandboxes, before the first request */
	constructor(create: () => Promise<DialectPair>) {
		this.#create = create;
	}

	/** Sends the requests of a difference to both sandboxes. Never rejects, see `problem`. */
	async send(difference: Difference): Promise<void> {
		await this.#run(difference.id, async (pair) => {
			const sent = await pair.send(difference);
			const found = dialectNames.flatMap((dialect) => {
				const { response } = sent[dialect];
				if (response === null) return [`${dialect}: there was no response.`];
				return deviations(difference[dialect].response, response).map((text) => `${dialect}: ${text}`);
			});
			this.results.set(difference.id, { sent, at: Date.now(), deviations: found });
		});
	}

	/** Signs a user in to both sandboxes. Never rejects, see `problem`. */
	async signIn(): Promise<void> {
		await this.#run('sign-in', async (pair) => {
			this.signedIn = { sent: await pair.signIn(), at: Date.now(), deviations: [] };
		});
	}

	/** Does one thing at a time with both sandboxes. */
	async #run(name: string, act: (pair: DialectPair) => Promise<void>): Promise<void> {
		if (this.sending !== undefined) return;
		this.sending = name;
		this.problem = undefined;
		try {
			this.pair ??= await this.#create();
			await act(this.pair);
		} catch (thrown) {
			// A sandbox that was not used for long is gone: the next press creates another pair.
			this.pair = undefined;
			this.problem =
				thrown instanceof ControlError
					? thrown.message
					: 'There was no response. The address may be blacklisted, or the service does not run. Check that, then send again.';
		} finally {
			this.sending = undefined;
		}
	}
}
