// Runs in the page before anything else, as it stands. Until the application's code has come and guards the network itself
// (guard.ts), nothing that a script sends to this origin leaves: `fetch` waits, everything else is refused.
(() => {
	let guarded = false;
	const begun = new Promise((resolve) => addEventListener('tollgate-guarded', resolve, { once: true }));
	/** @param {string | URL} address */
	const isOurs = (address) => new URL(address, document.baseURI).origin === location.origin;

	const send = window.fetch;
	window.fetch = async (input, init) => {
		if (guarded || !isOurs(input instanceof Request ? input.url : input)) return send(input, init);
		await begun;
		return window.fetch(input, init);
	};
	const open = Reflect.get(XMLHttpRequest.prototype, 'open');
	Reflect.set(XMLHttpRequest.prototype, 'open', function (/** @type {[string, string | URL]} */ ...words) {
		if (!guarded && isOurs(words[1])) throw new DOMException('The application has not started yet.', 'NetworkError');
		// @ts-expect-error -- `this` is the request, whatever it is called on
		Reflect.apply(open, this, words);
	});
	const { sendBeacon } = navigator;
	navigator.sendBeacon = (address, data) => (guarded || !isOurs(address)) && sendBeacon.call(navigator, address, data);
	addEventListener('submit', (event) => {
		if (!guarded) event.preventDefault();
	});
	const submit = Reflect.get(HTMLFormElement.prototype, 'submit');
	Reflect.set(HTMLFormElement.prototype, 'submit', function () {
		// @ts-expect-error -- `this` is the form, whatever it is called on
		if (guarded) Reflect.apply(submit, this, []);
	});
	addEventListener('tollgate-guarded', () => (guarded = true), { once: true });
})();
