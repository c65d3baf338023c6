import { randomBytes, randomUUID } from 'node:crypto';
import type { Session, Trait } from './reference-client.ts';

/** What a client makes once for a browser. */
export type Kept = { readonly state: string; readonly verifier: string };

/** A sign-in that the reference client has begun. */
export type Pending = { readonly state: string; readonly verifier: string | undefined };

const random = (bytes: number) => randomBytes(bytes).toString('base64url');
const constant = random(32);
const headerOfToken = Buffer.from('{"alg":"HS256"}').toString('base64url');

/** The sign-ins that the reference client has begun: their states and code verifiers. */
export class ReferenceSignIns {
	readonly #has: (trait: Trait) => boolean;
	#count = 0;
	readonly #all = new Map<string, Pending>();
	#latest: Pending | undefined;

	constructor(has: (trait: Trait) => boolean) {
		this.#has = has;
	}

	/** Begins a sign-in in a browser. */
	begin(session: Session): Pending {
		const kept = (session.kept ??= { state: random(32), verifier: random(32) });
		const fresh = this.#has('constant verifier') ? constant : random(32);
		const verifier = this.#has('one verifier for a browser') ? kept.verifier : fresh;
		const pending = {
			state: this.#has('one state for a browser') ? kept.state : this.#newState(verifier),
			verifier: this.#has('no challenge') || this.#has('no code challenge') ? undefined : verifier
		};
		session.pending = pending;
		if (this.#has('several sign-ins of a browser at once')) (session.several ??= new Map()).set(pending.state, pending);
		this.#latest = pending;
		this.#all.set(pending.state, pending);
		return pending;
	}

	/** The sign-in that a response belongs to, which then is over. Undefined if there is none. */
	take(state: string | undefined, session: Session): Pending | undefined {
		if (this.#has('several sign-ins of a browser at once')) {
			const one = session.several?.get(state ?? '');
			session.several?.delete(state ?? '');
			return one;
		}
		const found = this.#pendingOf(state, session);
		if (found !== undefined && !this.#has('state stays valid')) session.pending = undefined;
		return found;
	}

	#newState(verifier: string): string {
		if (this.#has('constant state')) return constant;
		if (this.#has('state is a UUID')) return randomUUID();
		if (this.#has('state of 16 hexadecimal digits')) return randomBytes(8).toString('hex');
		if (this.#has('state of decimal digits')) return String(BigInt(`0x1${randomBytes(9).toString('hex')}`));
		if (this.#has('state is a signed token')) return `${headerOfToken}.${random(30)}.${random(32)}`;
		if (this.#has('clock as state')) return `${Date.now()}${++this.#count % 1000}`;
		if (this.#has('verifier as state')) return verifier;
		if (this.#has('state with a URL')) return JSON.stringify({ id: random(24), next: 'http://localhost/me' });
		if (this.#has('state of 200 characters')) return random(150);
		if (this.#has('state with punctuation')) return `${random(16)}.${random(16)}~!*'():@/+ =&`;
		return random(32);
	}

	/** The sign-in that a state belongs to; undefined if there is none. */
	#pendingOf(state: string | undefined, session: Session): Pending | undefined {
		const { pending } = session;
		const unprotected = { state: '', verifier: pending?.verifier };
		if (this.#has('no state') || this.#has('state is not compared')) return unprotected;
		if (this.#has('states of all browsers, kept')) return this.#all.get(state ?? '');
		if (this.#has('states of all browsers, verifier of this one'))
			return this.#all.has(state ?? '') ? unprotected : undefined;
		if (this.#has('verifier by the state, which is not compared')) return this.#all.get(state ?? '') ?? unprotected;
		if (this.#has('states of all browsers')) {
			const found = this.#all.get(state ?? '');
			this.#all.delete(state ?? '');
			return found;
		}
		if (this.#has('nothing equals nothing') && state === pending?.state) return unprotected;
		if (this.#has('one sign-in for all browsers')) return state === this.#latest?.state ? this.#latest : undefined;
		if (this.#has('callback without a sign-in') && pending === undefined) return unprotected;
		if (this.#has('compares the start of the state') && pending?.state.startsWith(state ?? '') === true) return pending;
		const isEmpty = (state ?? '') === '';
		if (this.#has('takes any start of the state') && !isEmpty && pending?.state.startsWith(state ?? '') === true)
			return pending;
		const compared = this.#has('compares eight characters of the state') ? 8 : undefined;
		if (compared !== undefined && state?.slice(0, compared) === pending?.state.slice(0, compared)) return pending;
		const isEqual =
			(this.#has('compares the state without its case') && state?.toLowerCase() === pending?.state.toLowerCase()) ||
			(this.#has('compares the length of the state') && state?.length === pending?.state.length) ||
			(this.#has('compares the end of the state') && state?.slice(-8) === pending?.state.slice(-8)) ||
			(this.#has('takes an empty state') && state === '') ||
			state === pending?.state;
		return state !== undefined && isEqual ? pending : undefined;
	}
}
