import type { Lab } from './engine/lab.ts';

/** All labs, by file. They are loaded together, as the exercises are. */
export const labs: Readonly<Record<string, Lab | undefined>> = import.meta.glob<Lab>('./labs/*/lab.ts', {
	eager: true,
	import: 'lab'
});
