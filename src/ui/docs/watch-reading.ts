import type { Attachment } from 'svelte/attachments';

/**
 * Reports which heading is being read: the last one above the upper third of the window.
 * @param headings in the order of the page
 * @param report called with its id, empty above the first
 */
export function watchReading(
	headings: readonly { readonly id: string }[],
	report: (id: string) => void
): Attachment<HTMLElement> {
	return () => {
		const elements = headings.flatMap(({ id }) => document.getElementById(id) ?? []);
		const look = () => {
			const line = innerHeight / 3;
			report(elements.findLast((element) => element.getBoundingClientRect().top < line)?.id ?? '');
		};
		look();
		addEventListener('scroll', look, { passive: true });
		return () => removeEventListener('scroll', look);
	};
}
