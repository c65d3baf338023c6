import { isServicePath } from '#service/service.ts';
import { browserHost, isServed } from './boot.ts';
import type { Place } from './host.ts';
import { stripBase } from '../msw/strip-base.ts';

/**
 * Keeps every request of this page's scripts for the service off the network, from the first moment on, whatever becomes of the
 * worker (BR-02): `fetch` waits for the service in the page and is answered by it; other ways of sending are refused until the
 * worker answers them. To be called once, before any other script sends anything.
 */
export function guardNetwork(place: Place): void {
	const isService = (address: string | URL) => {
		const { origin, pathname } = new URL(address, document.baseURI);
		return origin === location.origin && isServicePath(stripBase(place.base, pathname));
	};
	const refuses = (address: string | URL) => isService(address) && !isServed();
	window.dispatchEvent(new Event('tollgate-guarded')); // early.js lets go
	guardFetch(place, isService);
	guardOthers(refuses);
	guardForms(refuses);
}

function guardFetch(place: Place, isService: (address: string | URL) => boolean): void {
	const send = window.fetch.bind(window);
	window.fetch = async (input, init) => {
		if (!isService(input instanceof Request ? input.url : input)) return send(input, init);
		const host = await browserHost(place);
		return host.isServed ? send(input, init) : host.respond(new Request(input, init));
	};
}

function guardOthers(refuses: (address: string | URL) => boolean): void {
	const refusal = () => new DOMException('The service in this page has no worker to answer this.', 'NetworkError');
	const open = Reflect.get(XMLHttpRequest.prototype, 'open');
	Reflect.set(XMLHttpRequest.prototype, 'open', function (this: XMLHttpRequest, ...words: [string, string | URL]) {
		if (refuses(words[1])) throw refusal();
		Reflect.apply(open, this, words);
	});
	const { sendBeacon } = navigator;
	navigator.sendBeacon = (address, data) => !refuses(address) && sendBeacon.call(navigator, address, data);
	window.EventSource = class extends EventSource {
		constructor(address: string | URL, init?: EventSourceInit) {
			if (refuses(address)) throw refusal();
			super(address, init);
		}
	};
}

/** A form that no script takes up is sent as a navigation, which the worker refuses and nothing else does. */
function guardForms(refuses: (address: string | URL) => boolean): void {
	// By attribute: a field called `action` hides the property of that name.
	const target = (form: HTMLFormElement, button: HTMLElement | null = null) =>
		button?.getAttribute('formaction') ?? form.getAttribute('action') ?? '';
	window.addEventListener('submit', (event) => {
		const form = event.target;
		if (form instanceof HTMLFormElement && refuses(target(form, event.submitter))) event.preventDefault();
	});
	const submit = Reflect.get(HTMLFormElement.prototype, 'submit');
	Reflect.set(HTMLFormElement.prototype, 'submit', function (this: HTMLFormElement) {
		if (!refuses(target(this))) Reflect.apply(submit, this, []);
	});
}
