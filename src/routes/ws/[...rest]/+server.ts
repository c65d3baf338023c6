export { handle as fallback, trailingSlash } from '#hosts/kit/handler.server.ts';
