import * as v from 'valibot';
import { traffic, type TrafficEntry } from '#api/control/traffic.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';

/** The traffic log of a sandbox. */
export async function readEntries(at: Sandbox): Promise<TrafficEntry[]> {
	return v.parse(traffic, JSON.parse(await at.traffic())).entries;
}
