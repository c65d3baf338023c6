export const prerender = __BROWSER_HOST__;

/**
 * What a frame may do that is created in this document without a URL: run a script, evaluate texts and start a worker. It has no network.
 * The document itself is empty.
 */
const policy =
	"default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; connect-src 'none'; form-action 'none'; base-uri 'none'";

/**
 * The document around the frame in which programs of visitors run (see `frame-realm.ts`). A frame without a URL inherits the policy of
 * the document around it, and that of the pages allows no evaluation. It has no head, where the static build adds a script.
 */
export function GET(): Response {
	return new Response(
		`<!doctype html><meta http-equiv="content-security-policy" content="${policy}"><title>Program</title>`,
		{
			headers: {
				'content-type': 'text/html; charset=utf-8',
				'content-security-policy': `${policy}; frame-ancestors 'self'`,
				'x-frame-options': 'SAMEORIGIN'
			}
		}
	);
}
