import { toasts } from '../shell/toasts.svelte.ts';
import type { Inspector } from './inspector.svelte.ts';

/**
 * Opens a file in place of the sandbox. An error is shown as a message.
 * @param onforeign called with a HAR file of which the log has no exchange
 * @returns false: the file cannot be read
 */
export async function openTrafficFile(
	inspector: Inspector,
	file: File,
	onforeign: ((file: File) => void) | undefined
): Promise<boolean> {
	const { ForeignHarError, readTrafficFile } = await import('./export/traffic-file.ts');
	try {
		inspector.openFile({ name: file.name, entries: readTrafficFile(await file.text(), inspector.entries) });
		return true;
	} catch (thrown) {
		if (thrown instanceof ForeignHarError && onforeign !== undefined) {
			onforeign(file);
			return true;
		}
		toasts.show({ title: thrown instanceof Error ? thrown.message : 'The file cannot be read.', tone: 'error' });
		return false;
	}
}
