import * as v from 'valibot';
import type { JoinedSeat } from '#api/control/seats.ts';
import { storedJson, storeText } from '#client/storage/web-storage.ts';

const remembered = v.object({
	base_url: v.string(),
	applications: v.array(v.object({ client_id: v.string(), name: v.string(), client_secret: v.string() }))
});

/** What a browser keeps of its seat: the address, and the secrets that the service shows once. */
export type RememberedSeat = v.InferOutput<typeof remembered>;

const keyOf = (base: string, code: string) => `tollgate-seat${base} ${code}`;

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
	try {
		const prefix = keyOf(base, '');
		const codes = Object.keys(localStorage).flatMap((key) =>
			key.startsWith(prefix) ? [key.slice(prefix.length)] : []
		);
		return codes.find((code) => recallSeat(base, code)?.base_url === baseUrl);
	} catch {
		return undefined;
	}
}

/** Forgets the seat of this browser, after the class has ended. */
export function forgetSeat(base: string, code: string): void {
	storeText(keyOf(base, code), '');
}
