import { leaveService } from '../browser/leave-service.ts';
import type { Client } from '../client.ts';
import { patterns } from '../endpoints.ts';
import { problemOf, type Problem } from '../problems.ts';
import { isDue } from '../tokens/keeper.ts';
import type { Session } from '../tokens/sessions.ts';
import { Controls } from './controls.svelte.ts';
import { Explorer } from './explorer.svelte.ts';
import { Hammering } from './hammering.svelte.ts';
import { Log } from './log.svelte.ts';
import { Meters } from './meters.svelte.ts';
import { People } from './people.svelte.ts';
import { SignIn } from './sign-in.svelte.ts';
import { Silence } from './silence.svelte.ts';
import { Ticker } from './ticker.svelte.ts';
import { Watching } from './watching.svelte.ts';

/** Everything that the page of the Character Viewer shows and does. */
export class Viewer {
	readonly client: Client;
	/** Whether what is kept outlives the page. */
	readonly persistent: boolean;
	readonly ticker: Ticker;
	readonly controls: Controls;
	readonly people: People;
	readonly signIn: SignIn;
	readonly explorer: Explorer;
	readonly meters: Meters;
	readonly silence: Silence;
	readonly hammering: Hammering;
	readonly watching: Watching;
	readonly log: Log;
	/** A person is being sent away. */
	sending = $state(false);
	/** Why the person could not be sent away. */
	awayProblem: Problem | undefined = $state.raw();
	readonly serviceNow = () => this.client.clock.now();

	/**
	 * @param client of the application
	 * @param persistent whether what is kept outlives the page
	 * @param now this machine's clock, in milliseconds since 1970
	 * @param access what the application asks for where nothing else is chosen
	 */
	constructor(client: Client, persistent: boolean, now: () => number, access: Session['access_type'] = 'online') {
		this.client = client;
		this.persistent = persistent;
		this.ticker = new Ticker(now);
		this.controls = new Controls(client);
		this.signIn = new SignIn(client, access);
		this.explorer = new Explorer(client);
		this.watching = new Watching(client, this.explorer, now);
		this.people = new People(client, (id) => {
			this.explorer.forget(id);
			this.signIn.forget(id);
		});
		this.meters = new Meters(client);
		this.silence = new Silence(client);
		this.hammering = new Hammering(client);
		this.log = new Log(client.journal);
	}

	/** What the next call of a character would wait for, as things stand now: so many milliseconds, or something's end. */
	readonly wait: number | 'reset' | 'silence' = $derived.by(() => {
		if (this.silence.holding) return 'silence';
		// The client is no rune: what it says changes with the gauges and with the time.
		const known = this.meters.list.length + this.ticker.now > 0;
		if (known && this.client.gate.closedUntil(patterns.character, this.serviceNow()) !== undefined) return 'reset';
		return this.controls.throttle ? this.client.resources.pause(patterns.character) : 0;
	});

	/** Begins to follow everything. Returns what ends it. */
	start(): () => void {
		const parts = [this.controls, this.people, this.watching, this.meters, this.silence, this.log];
		const ends = parts.map((part) => part.follow());
		ends.push(this.ticker.start(() => this.#work()));
		void this.signIn.prepare();
		return () => {
			this.hammering.stop();
			for (const end of ends) end();
		};
	}

	/** Shows a character for whoever is chosen. */
	async look(name: string, fresh = false): Promise<void> {
		const session = this.people.current;
		if (session === undefined || name.trim() === '') return;
		this.watching.touch(session.id).catch(problemOf);
		await this.explorer.show(session, name.trim(), fresh);
	}

	/** Ends the person's sign-in session at the service, and acts on with the refresh token. */
	async sendAway(session: Session, name: string): Promise<void> {
		if (this.sending) return;
		this.sending = true;
		this.awayProblem = undefined;
		try {
			await leaveService(this.client.endpoints, this.client.journal);
			await this.watching.leave(session, name);
		} catch (thrown) {
			this.awayProblem = problemOf(thrown);
		} finally {
			this.sending = false;
		}
	}

	/** Without storage the page still works. */
	#work(): void {
		void this.client.breaker.tick();
		this.explorer.tick();
		if (this.people.loaded) this.watching.tick(this.people.list).catch(problemOf);
		this.client.memory.tick().catch(problemOf);
		this.#tend();
	}

	/** Renews the chosen person's token in time, and notices when access without a refresh token is over. */
	#tend(): void {
		const session = this.people.current;
		if (session === undefined || session.ended !== null || this.client.breaker.isOpen) return;
		const now = this.serviceNow();
		const isWaiting = session.refresh_token !== null && now < session.retry;
		if (isDue(session, now) && !isWaiting) this.client.keeper.token(session.id).catch(problemOf);
	}
}
