import * as v from 'valibot';
import type { JoinedSeat } from '#api/control/seats.ts';
import { storedJson, storeText } from '#client/storage/web-storage.ts';
import { seatCodes, seatKeyOf as keyOf } from './seat-codes.ts';

const remembered = v.object({
	base_url: v.string(),
	applications: v.array(v.object({ client_id: v.string(), name: v.string(), client_secret: v.string() }))
});

/** What a browser keeps of its seat: the address, and the secrets that the service shows once. */
export type RememberedSeat = v.InferOutput<typeof remembered>;

/**
 * Keeps the seat of this browser in a class.
 * @param base path that the app is served from
 */
export function rememberSeat(base: string, code: string, { base_url, applications }: JoinedSeat): void {
	storeText(keyOf(base, code), JSON.stringify({ base_url, applications }));
}

/** The seat of this browser in a class. Undefined without one. */
export function recallSeat(base: string, code: string): RememberedSeat | undefined {
	const found = v.safeParse(remembered, storedJson(keyOf(base, code)));
	return found.success ? found.output : undefined;
}

/**
 * The code of the class whose seat this browser had at a base URL. Undefined without one.
 * @param baseUrl of the sandbox, without a trailing slash
 */
export function recallClass(base: string, baseUrl: string): string | undefined {
	return seatCodes(base).find((code) => recallSeat(base, code)?.base_url === baseUrl);
}

/** A seat whose class goes on: its page, and the name of the class. */
export type OpenSeat = { readonly href: string; readonly name: string };

/**
 * The seat of this browser in a class that goes on. Undefined without one.
 * @param readStatus of the sandbox at a base URL; undefined: it has none
 */
export async function findOpenSeat(
	base: string,
	readStatus: (
		baseUrl: string
	) => Promise<{ readonly can_control: boolean; readonly class?: { readonly name: string } | undefined } | undefined>
): Promise<OpenSeat | undefined> {
	for (const code of seatCodes(base)) {
		const baseUrl = recallSeat(base, code)?.base_url;
		const status = baseUrl === undefined ? undefined : await readStatus(baseUrl);
		if (status?.can_control === true && status.class) return { href: `${baseUrl}/join`, name: status.class.name };
	}
	return undefined;
}

/** Forgets the seat of this browser, after the class has ended. */
export function forgetSeat(base: string, code: string): void {
	storeText(keyOf(base, code), '');
}
