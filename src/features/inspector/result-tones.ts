import type { FlowResult } from './flow-result.ts';
import type { Tone } from '#ui/display/status-tone.ts';

export const resultTones: Readonly<Record<FlowResult['kind'], Tone>> = {
	pending: 'info',
	signed_in: 'ok',
	denied: 'caution',
	failed: 'error',
	ended: 'caution'
};
