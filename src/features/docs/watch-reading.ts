import type { Attachment } from 'svelte/attachments';

/** Where reading begins, in pixels from the top: below the bar, where a link to a heading leads. */
const readingLine = 96;

/**
 * Reports which heading is being read: the last one above the reading line.
 * @param headings in the order of the page
 * @param report called with its id, empty above the first
 */
export function watchReading(
	headings: readonly { readonly id: string }[],
	report: (id: string) => void
): Attachment<HTMLElement> {
	return () => {
		const isRead = ({ id }: { readonly id: string }) => {
			const top = document.getElementById(id)?.getBoundingClientRect().top;
			return top !== undefined && top < readingLine;
		};
		const look = () => report(headings.findLast(isRead)?.id ?? '');
		look();
		addEventListener('scroll', look, { passive: true });
		return () => removeEventListener('scroll', look);
	};
}
