import { json } from '@sveltejs/kit';
import { readEmbedOrigins } from '#hosts/config.server.ts';
import type { RequestHandler } from './$types';

/** The origins whose pages may frame the embedded pages. Their policy names the same. */
export const GET: RequestHandler = () => json(readEmbedOrigins(process.env));
