/**
 * Saves a text, or bytes, as a file of the user.
 * @param name of the file. Characters that file names cannot have are replaced
 * @param type media type
 */
export function downloadFile(name: string, type: string, content: string | Uint8Array<ArrayBuffer>): void {
	const url = URL.createObjectURL(new Blob([content], { type }));
	const link = document.createElement('a');
	link.href = url;
	link.download = name.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, '-');
	link.click();
	URL.revokeObjectURL(url);
}
