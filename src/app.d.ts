import type { IncomingMessage } from 'node:http';
import type { World } from '#client/world.ts';

declare global {
	/** True in the static build, where the service runs in a service worker. A constant, so that the other build drops its code. */
	const __BROWSER_HOST__: boolean;
	/** What the static build shows before its service has started if the site has no world. */
	const __DEMO_WORLD__: World;
	/** A pattern of the paths of the app's pages, without the base. */
	const __APP_PAGES__: string;

	namespace App {
		interface Platform {
			/** Node's request. */
			req: IncomingMessage;
		}
		interface PageData {
			world: World;
			/** False for a page that works without the service: in the static build it is shown before the service has started. */
			needsService?: false;
			/** The picture of the page in previews of links, in `static`. Absent: the icon. */
			picture?: string;
		}
		interface Error {
			message: string;
			/** What the server logged it under (`X-Request-Id`), where there is one. */
			id?: string;
			/** The scripts of the page could not be downloaded. */
			isNotDownloaded?: true;
		}
	}
}

export {};
