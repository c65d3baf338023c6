import type { Attachment } from 'svelte/attachments';
import { keyCaps } from '../shell/key-caps.ts';

const delay = 400;
let bubble: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Shows a short text beside a control: after a delay on hover, and at once on keyboard focus. Use it on controls whose
 * accessible name is the same text, because assistive technology does not read the tooltip.
 * @param text the text
 * @param keys keys that do the same: `mod k`, `g v`
 */
export function tooltip(text: string, keys?: string): Attachment<HTMLElement> {
	return (anchor) => {
		const show = () => open(anchor, text, keys);
		const later = (event: PointerEvent) => {
			if (event.pointerType === 'touch') return;
			clearTimeout(timer);
			timer = setTimeout(show, delay);
		};
		const focused = () => {
			if (anchor.matches(':focus-visible')) show();
		};
		const escape = (event: KeyboardEvent) => {
			if (event.key === 'Escape') close();
		};
		anchor.addEventListener('pointerenter', later);
		anchor.addEventListener('pointerleave', close);
		anchor.addEventListener('pointerdown', close);
		anchor.addEventListener('focus', focused);
		anchor.addEventListener('blur', close);
		anchor.addEventListener('keydown', escape);
		return () => {
			close();
			anchor.removeEventListener('pointerenter', later);
			anchor.removeEventListener('pointerleave', close);
			anchor.removeEventListener('pointerdown', close);
			anchor.removeEventListener('focus', focused);
			anchor.removeEventListener('blur', close);
			anchor.removeEventListener('keydown', escape);
		};
	};
}

function open(anchor: HTMLElement, text: string, keys: string | undefined): void {
	clearTimeout(timer);
	bubble ??= makeBubble();
	const host = anchor.closest('dialog') ?? document.body;
	if (bubble.parentNode !== host) host.append(bubble);
	bubble.textContent = text;
	for (const cap of keys === undefined ? [] : keyCaps(keys)) {
		const kbd = document.createElement('kbd');
		kbd.textContent = cap;
		bubble.append(kbd);
	}
	if (!bubble.matches(':popover-open')) bubble.showPopover();
	placeBelow(bubble, anchor);
}

function close(): void {
	clearTimeout(timer);
	if (bubble?.matches(':popover-open')) bubble.hidePopover();
}

function makeBubble(): HTMLElement {
	const made = document.createElement('div');
	made.className = 'tooltip';
	made.popover = 'manual';
	made.ariaHidden = 'true';
	return made;
}

/**
 * Centers an element below its anchor, or above it without space below, and always inside the window. CSS anchor
 * positioning is not yet in every supported browser.
 * @param floating an element with `position: fixed` that is already shown, because its size is measured
 * @param anchor the element that it belongs to
 */
function placeBelow(floating: HTMLElement, anchor: Element): void {
	const gap = 6;
	const box = anchor.getBoundingClientRect();
	const { offsetWidth: width, offsetHeight: height } = floating;
	const { clientWidth, clientHeight } = document.documentElement;
	const left = box.left + (box.width - width) / 2;
	const below = box.bottom + gap;
	const top = below + height > clientHeight && box.top - gap - height >= 0 ? box.top - gap - height : below;
	floating.style.left = `${Math.max(gap, Math.min(left, clientWidth - width - gap))}px`;
	floating.style.top = `${top}px`;
}
