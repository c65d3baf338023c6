import type { World } from '../world/world.ts';

/** What decides the quotas of a service: options of the host, its world, and how many seats its classes have. */
type QuotaSource = {
	readonly quotas?: Partial<Quotas>;
	readonly world?: Pick<World, 'sandboxes'> | undefined;
	readonly classSeats?: number;
};

/** How many failed attempts each kind of target allows within five minutes. */
export type AttemptLimits = {
	/** Passwords of one account, from one address. */
	readonly address_account: number;
	/** Passwords of one account, from all addresses. Over this limit each address has one attempt instead of ten. */
	readonly account: number;
	/** Passwords of any account, from one address. */
	readonly address: number;
	/** Secrets and tokens of one client, from one address. */
	readonly client: number;
	/** Keys of a sandbox, from one address. */
	readonly sandbox_key: number;
	/** Ids of unknown sandboxes, from one address. */
	readonly sandbox_id: number;
	/** Codes of unknown classes, from one address. */
	readonly class_code: number;
	/** Passwords of one share link, from one address. */
	readonly share_password: number;
	/** Sandboxes created from one address. */
	readonly create_sandbox: number;
	/** Sign-ins that one address started in one sandbox of a public server. Long requests count more. */
	readonly start_sign_in: number;
	/** Clients that one address registered itself in one sandbox. */
	readonly register_client: number;
	/** Documents of clients that one address made the server fetch in one sandbox. */
	readonly fetch_document: number;
	/** DPoP proofs that one address used in one sandbox. */
	readonly dpop_proof: number;
	/** User codes of unknown devices, from one address in one sandbox. */
	readonly user_code: number;
};

/** How much clients may use at once. */
export type Quotas = {
	/** Sandboxes that one address may have created. Callers with access to the root sandbox may create more. */
	readonly sandboxesPerAddress: number;
	/** Sandboxes that one address keeps on a full server on which none is idle. It loses further ones to other addresses. */
	readonly keptPerAddress: number;
	/** Access tokens that one address gets within five minutes, in all sandboxes of a public server. */
	readonly tokensPerAddress: number;
	/** Passwords of one address that wait while another one is checked. */
	readonly waitingPasswords: number;
	/** Event streams of the root sandbox. */
	readonly rootStreams: number;
	/** Event streams of each other sandbox. */
	readonly streamsPerSandbox: number;
	/** Event streams of one address, in all sandboxes but the root. A class behind one router has one address. */
	readonly streamsPerAddress: number;
	/** Event streams of all sandboxes but the root. */
	readonly streams: number;
	/** Memory of the records of the root sandbox, in bytes. */
	readonly rootBytes: number;
	/** Memory of the records of each other sandbox, in bytes. */
	readonly bytesPerSandbox: number;
	/** Memory of the records of all sandboxes that one address has created, in bytes. Like `bytes`, without what each may always use. */
	readonly bytesPerAddress: number;
	/** Memory of the records of all sandboxes but the root, in bytes. */
	readonly bytes: number;
	readonly attempts: AttemptLimits;
};

const mebibyte = 1024 * 1024;
/** What each sandbox may use even if the server or its creator has used up the rest, in bytes. */
export const reservedBytes = 128 * 1024;

/** Memory of the records of a class for each of its seats, in bytes. Without what each sandbox may always use. */
export const bytesPerSeat = 256 * 1024;
/** Requests within five minutes that name the sandbox of a seat after the end of its class. */
const idsPerSeat = 100;
/** Event streams of a seat: a lesson, the inspector, another page, and the inspector of the instructor. */
export const streamsPerSeat = 4;

/** Attempts that a service allows. */
export const defaultAttempts: AttemptLimits = {
	address_account: 10,
	account: 100,
	address: 100,
	client: 10_000,
	sandbox_key: 1000,
	sandbox_id: 300,
	class_code: 300,
	share_password: 20,
	create_sandbox: 60,
	start_sign_in: 2000,
	register_client: 20,
	fetch_document: 60,
	user_code: 100,
	dpop_proof: 1500
};

const defaults: Quotas = {
	sandboxesPerAddress: 60,
	keptPerAddress: 10,
	tokensPerAddress: 5000,
	waitingPasswords: 100,
	rootStreams: 100,
	streamsPerSandbox: 10,
	streamsPerAddress: 100,
	streams: 400,
	rootBytes: 256 * mebibyte,
	bytesPerSandbox: 4 * mebibyte,
	bytesPerAddress: 16 * mebibyte,
	bytes: 64 * mebibyte,
	attempts: defaultAttempts
};

/** The quotas of a service: those of its options, else those of its world, else the default ones. */
export function quotasOf({ quotas, world, classSeats = 0 }: QuotaSource): Quotas {
	const { attempts, ...others } = world === undefined ? defaults : quotasOfWorld(world);
	// The pages of a class may ask for their seats after its end, all of them from one address.
	const sandbox_id = attempts.sandbox_id + classSeats * idsPerSeat;
	return { ...others, attempts: { ...attempts, sandbox_id }, ...quotas };
}

function quotasOfWorld(world: Pick<World, 'sandboxes'>): Quotas {
	const { classroom, per_address = defaults.sandboxesPerAddress } = world.sandboxes;
	const raised = classroom === undefined ? defaults : raisedFor(classroom);
	const { create_sandbox } = raised.attempts;
	const attempts = { ...raised.attempts, create_sandbox: Math.max(per_address, create_sandbox) };
	return { ...raised, sandboxesPerAddress: per_address, attempts };
}

/** The limits that students behind one address use up together. */
function raisedFor(students: number): Quotas {
	const raise = (limit: number, perStudent: number) => Math.max(limit, students * perStudent);
	const { attempts } = defaults;
	return {
		...defaults,
		tokensPerAddress: raise(defaults.tokensPerAddress, 100),
		waitingPasswords: raise(defaults.waitingPasswords, 2),
		streamsPerAddress: raise(defaults.streamsPerAddress, 4),
		streams: raise(defaults.streams, 5),
		bytesPerAddress: raise(defaults.bytesPerAddress, mebibyte / 2),
		bytes: raise(defaults.bytes, mebibyte),
		attempts: {
			...attempts,
			address: raise(attempts.address, 5),
			start_sign_in: raise(attempts.start_sign_in, 50)
		}
	};
}
