import { rootSandbox } from '../core/target.ts';

/** How much a traffic log keeps. */
export type TrafficLimits = {
	readonly entries: number;
	/** How much text the entries may hold together. */
	readonly characters: number;
};

const ofRoot: TrafficLimits = { entries: 500, characters: 512 * 1024 };
const ofOthers: TrafficLimits = { entries: 200, characters: 128 * 1024 };

/** How much text an entry may have on average if the operator has set their number. */
const charactersPerEntry = 1024;

/**
 * How much the log of a sandbox keeps. The text grows with the entries.
 * @param entries that the operator has set
 */
export function trafficLimits(sandbox: string, entries?: number): TrafficLimits {
	const usual = sandbox === rootSandbox ? ofRoot : ofOthers;
	if (entries === undefined) return usual;
	return { entries, characters: Math.max(usual.characters, entries * charactersPerEntry) };
}
