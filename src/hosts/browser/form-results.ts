/** Pages that wait for their request. */
const maxWaiting = 20;

/**
 * Shows the result page of a form at its own URL (Post/Redirect/Get). A reload that bypasses the service worker would
 * otherwise send the form, and the password in it, over the network (BR-02).
 */
export class FormResults {
	readonly #waiting = new Map<string, Response>();

	/**
	 * Redirects to the same URL if the response to a form is a page.
	 * @param navigation id of the navigation that sent the form
	 */
	redirect(navigation: string, request: Request, response: Response): Response {
		const isPage = response.type !== 'error' && !response.headers.has('location');
		if (!isPage || navigation === '') return response;
		const [oldest] = this.#waiting.keys();
		if (this.#waiting.size >= maxWaiting && oldest !== undefined) this.#waiting.delete(oldest);
		this.#waiting.set(navigation, response);
		return new Response(null, { status: 303, headers: { Location: request.url, 'Cache-Control': 'no-store' } });
	}

	/**
	 * The page that a navigation was redirected to.
	 * @param navigation id of the navigation
	 */
	take(navigation: string): Response | undefined {
		const response = this.#waiting.get(navigation);
		this.#waiting.delete(navigation);
		return response;
	}
}
