/**
 * Puts a floating element beside its anchor: below where there is room, else above, and never outside the window.
 * Positions by script because anchor positioning is not in every browser that we support yet.
 * @param floating an element of `position: fixed`, already shown (its size is measured)
 * @param anchor what it belongs to
 * @param align which edges line up; `center` puts the middles over each other
 */
export function placeBeside(floating: HTMLElement, anchor: Element, align: 'start' | 'center' | 'end' = 'start'): void {
	const gap = 6;
	const box = anchor.getBoundingClientRect();
	const { offsetWidth: width, offsetHeight: height } = floating;
	const { clientWidth, clientHeight } = document.documentElement;
	const left = { start: box.left, center: box.left + (box.width - width) / 2, end: box.right - width }[align];
	const below = box.bottom + gap;
	const top = below + height > clientHeight && box.top - gap - height >= 0 ? box.top - gap - height : below;
	floating.style.left = `${Math.max(gap, Math.min(left, clientWidth - width - gap))}px`;
	floating.style.top = `${top}px`;
}
