import type { Sandbox } from './sandbox.ts';
import type { TestResponse } from './response.ts';

/** A world with two kinds. Its accounts and applications are those of the demo world. Notes can only be read. */
export const worldWithKinds = {
	format: 'tollgate-world',
	version: 1,
	permissions: [
		{ scope: 'payments_read', title: 'Read payments', consent: 'See your payments' },
		{ scope: 'payments_write', title: 'Make payments', consent: 'Make payments for you' },
		{ scope: 'notes_read', title: 'Read notes', consent: 'See your notes' }
	],
	kinds: [
		{
			name: 'payments',
			singular: 'payment',
			plural: 'payments',
			limit: 40,
			cost: { list: 2, write: 5 },
			fields: {
				to: { type: 'text', required: true },
				amount: { type: 'number', required: true },
				currency: { type: 'text', values: ['EUR', 'DKK'], default: 'EUR' },
				status: { type: 'text', read_only: true, default: 'pending' },
				due: { type: 'date' },
				urgent: { type: 'boolean' },
				count: { type: 'integer' }
			},
			records: [
				{ id: 'p-1', owner: 'player-one', fields: { to: 'Rent', amount: 900, currency: 'EUR', status: 'booked' } },
				{ id: 'p-2', owner: 'player-one', fields: { to: 'Gas & co', amount: 12.5, status: 'booked', urgent: true } },
				{ id: 'p-3', owner: 'player-one', fields: { to: 'Zoë', amount: 12.5, status: 'pending' } },
				{ id: 'p-4', owner: 'player-two', fields: { to: 'Secret place', amount: 1 } }
			]
		},
		{
			name: 'notes',
			singular: 'note',
			plural: 'notes',
			limit: 10_000,
			fields: { text: { type: 'text' } },
			records: [{ id: 'n-1', owner: 'player-one', fields: { text: 'hello' } }]
		}
	]
} as const;

/** A user of the world with kinds, with a token of these scopes. */
export class KindUser {
	readonly #at: Sandbox;
	readonly #token: string;

	private constructor(at: Sandbox, token: string) {
		this.#at = at;
		this.#token = token;
	}

	static async signIn(
		at: Sandbox,
		username = 'player-one',
		scope = 'payments_read payments_write notes_read'
	): Promise<KindUser> {
		return new KindUser(at, (await at.user(username).tokens(at.viewer, { scope })).access_token);
	}

	get(target: string, ...headers: string[]): Promise<TestResponse> {
		return this.#at.get(`/ws/v2.0/${target}`, 'Authorization', `OAuth ${this.#token}`, ...headers);
	}

	send(method: string, target: string, json: unknown, type = 'application/json'): Promise<TestResponse> {
		return this.#at.send({
			method,
			target: `/ws/v2.0/${target}`,
			headers: ['Authorization', `OAuth ${this.#token}`, 'Content-Type', type],
			body: typeof json === 'string' ? json : JSON.stringify(json)
		});
	}
}
