export { answer as fallback, trailingSlash } from '#hosts/kit/endpoint.server.ts';
