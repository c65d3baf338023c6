import { heldContinuation, pause, type HeldDecision, type PausePoint } from '#api/control/pause.ts';
import { createTestService } from '../test-service.ts';

/** What a browser sends that shows the response. */
export const navigation = ['Sec-Fetch-Mode', 'navigate', 'Accept', 'text/html'];

/** A sandbox whose owner can hold messages, and decides about them. */
export async function opened() {
	const service = createTestService({ sleep: () => new Promise((resolve) => setImmediate(resolve)) });
	const at = await service.sandbox();
	const hold = (...points: PausePoint[]) => at.controlled('PUT', 'pause', { points });
	const held = async () => (await at.controlled('GET', 'pause')).as(pause).held;
	const decide = async (decision: HeldDecision, id?: string) => {
		const message = id ?? (await held())[0]?.id ?? 'none';
		return (await at.controlled('POST', `pause/${message}`, decision)).as(heldContinuation);
	};
	const user = at.user();
	/** Signs in and allows access, to a code. */
	const code = () => user.code(at.viewer, { code_challenge_method: 'S256', code_challenge: challenge });
	return { service, at, hold, held, decide, user, code };
}

/** Of code exchanges. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
/** The challenge of the verifier. */
export const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
