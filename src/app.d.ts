declare global {
	/** True in the build without a server, where the service runs in the page; a constant, so that the other build drops it all. */
	const __BROWSER_HOST__: boolean;

	namespace App {
		interface Error {
			message: string;
			/** What the server logged it under (`X-Request-Id`), where there is one. */
			id?: string;
		}
	}
}

export {};
