import type { FlowResult } from '#client/inspector/flow-result.ts';
import type { Tone } from '../display/status-tone.ts';

/** The tone of each result of a flow. */
export const resultTones: Readonly<Record<FlowResult['kind'], Tone>> = {
	pending: 'info',
	signed_in: 'ok',
	denied: 'caution',
	failed: 'error',
	ended: 'caution'
};
