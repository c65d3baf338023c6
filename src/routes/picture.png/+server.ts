import { base } from '$app/paths';
import { readAppLocation } from '#features/shell/app-location.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import type { RequestEvent } from '@sveltejs/kit';

/** The picture in previews of links, as a file: that of the world of a sandbox, or of the sandboxes of a share link. */
export async function GET({ url, fetch }: RequestEvent): Promise<Response> {
	const share = url.searchParams.get('share');
	const api = new ControlApi(readAppLocation(url, base).baseUrl, fetch);
	const { picture } = await api
		.request('GET /control/picture', share === null ? {} : { query: { share } })
		.catch(() => ({ picture: undefined }));
	if (picture === undefined) return new Response('This world has no picture.\n', { status: 404 });
	const content = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
	return new Response(content, { headers: { 'Content-Type': 'image/png' } });
}
