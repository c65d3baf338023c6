import type { Attachment } from 'svelte/attachments';

/**
 * Tells whether an element can be seen: within the window, in a tab that is in front.
 * @param tell called at once and at each change
 */
export function onScreen(tell: (seen: boolean) => void): Attachment<HTMLElement> {
	return (element) => {
		let within = false;
		const say = () => tell(within && document.visibilityState === 'visible');
		const observer = new IntersectionObserver((entries) => {
			within = entries.at(-1)?.isIntersecting ?? false;
			say();
		});
		observer.observe(element);
		document.addEventListener('visibilitychange', say);
		return () => {
			observer.disconnect();
			document.removeEventListener('visibilitychange', say);
		};
	};
}
