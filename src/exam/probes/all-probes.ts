import type { ProbeId } from '#api/exam.ts';
import type { Probe } from '../probe.ts';
import { attackerProbes } from './attacker.ts';
import { endProbes } from './end.ts';
import { exchangeProbes } from './exchange.ts';
import { limitProbes } from './limits.ts';
import { signInProbes } from './sign-in.ts';
import { tokenProbes } from './token.ts';

/** What each probe does. */
export const probes: Readonly<Record<ProbeId, Probe>> = {
	...signInProbes,
	...attackerProbes,
	...exchangeProbes,
	...tokenProbes,
	...limitProbes,
	...endProbes
};
