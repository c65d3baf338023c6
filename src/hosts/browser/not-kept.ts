/**
 * The response without a network for what is not kept in the browser, with status 503.
 * @param isPage true for a navigation: a page that says so
 * @param home path of the start page
 */
export function notKeptResponse(isPage: boolean, home: string): Response {
	const headers = { 'Cache-Control': 'no-store' };
	if (!isPage) return new Response(`${title}. ${why} ${next}\n`, { status: 503, headers });
	return new Response(notKeptPage(home), {
		status: 503,
		headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }
	});
}

const title = 'Not kept for offline use';
const why = 'This URL could not be downloaded, and the browser has no copy of it.';
const next = 'Connect to the network, then reload the page.';
const policy = "default-src 'none'; style-src 'unsafe-inline'";

/** A page without files: none of them may be kept. */
function notKeptPage(home: string): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; }
</style>
</head>
<body>
<h1>${title}</h1>
<p>${why} ${next}</p>
<p><a href="">Reload</a> · <a href="${home}">Go to the start page</a></p>
</body>
</html>
`;
}
