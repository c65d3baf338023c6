import type { CheckExplanations } from './explanation.ts';

const clientId = "const client_id = 'https://app.example/client.json'";
const type = "response.setHeader('Content-Type', 'application/json')";
const none = '"token_endpoint_auth_method": "none"';
const uris = '"redirect_uris": ["http://127.0.0.1/callback"]';
const publish = 'Publish the document on a public server, or let the sandbox host it in the console.';

/** Of a client that a document describes. */
export const clientDocument = {
	'client_document.url_valid too_long': [
		'The URL has more than 500 characters. Users see its host, and logs keep it.',
		'Publish the document at a short URL.',
		clientId
	],
	'client_document.url_valid not_https': [
		'The client_id begins with http:// or is written in capitals. Without TLS, others on the network could replace the document.',
		'Use https:// in lower case.',
		clientId
	],
	'client_document.url_valid credentials': [
		'There is an @ before the host, so what looks like a host can be a user name.',
		'Remove the user name and the password.',
		clientId
	],
	'client_document.url_valid fragment': [
		'A fragment is never sent to a server, so it cannot be part of the address of a document.',
		'Remove # and what follows.',
		clientId
	],
	'client_document.url_valid no_path': [
		'The URL is a host without a path. Several clients can live at one host.',
		'Add a path.',
		clientId
	],
	'client_document.url_valid dot_segment': [
		'The path has . or .. as a segment. Programs resolve them, and then ask for another URL.',
		'Write the path that remains.',
		clientId
	],
	'client_document.url_valid not_normalized': [
		'A browser would write this URL in another way: for example 0x7f.1 is 127.0.0.1. Two programs could see two hosts in it.',
		'Write it as new URL(client_id).href does, everywhere.',
		'const client_id = new URL(text).href'
	],
	'client_document.found no_network': [
		'The service runs in this page and has no network, so it cannot fetch a document.',
		'Let the sandbox host the document in the console. Its URL works on every host.',
		clientId
	],
	'client_document.found no_navigation': [
		'An image, a frame or a script sent the request. The service fetches a document for navigations only, because any site can cause the others.',
		'Lead the browser to the authorization URL with a link or a redirect.',
		'location.assign(authorizationUrl)'
	],
	'client_document.found not_hosted': [
		'The URL is in the directory of this sandbox, and there is no document with this name.',
		'Write the document in the console, or use its exact name.',
		clientId
	],
	'client_document.address_allowed busy': [
		'The service resolves few host names at once, so that a slow name server cannot hold it up.',
		'Send the user again in a moment.',
		'await sleep(2000)'
	],
	'client_document.address_allowed no_address': [
		'The name server knows no address for the host, or took too long.',
		'Check the host name. ' + publish,
		clientId
	],
	'client_document.address_allowed not_public': [
		'The host has an address of a private network, of this machine, or of another special use. A server that fetches it could be made to attack its own network.',
		publish,
		clientId
	],
	'client_document.address_allowed port_not_allowed': [
		'The port belongs to another protocol than HTTPS.',
		'Use port 443, or one from 1024.',
		clientId
	],
	'client_document.fetched busy': [
		'The service fetches few documents at once, and few from one host, so that no client can use it to flood a server.',
		'Send the user again in a moment.',
		'await sleep(2000)'
	],
	'client_document.fetched compressed': [
		'The document has a Content-Encoding. A few compressed bytes can become gigabytes.',
		'Send the document as it is. It is small.',
		type
	],
	'client_document.fetched redirected': [
		'The URL redirects. Its owner could lead the service into its own network.',
		'Use the URL at the end of the redirect as client_id, in the document as well.',
		clientId
	],
	'client_document.fetched too_large': [
		'The document has more than 5 kB.',
		'Leave out what is not client metadata. Keep logos in files of their own.',
		uris
	],
	'client_document.fetched too_slow': [
		'The whole document must arrive within five seconds. The user waits for it.',
		'Serve it as a static file.',
		type
	],
	'client_document.fetched unreachable': [
		'There was no connection, or it ended early.',
		'Open the URL from another network.',
		clientId
	],
	'client_document.fetched untrusted_certificate': [
		'The certificate is self-signed, expired, or of another host.',
		'Use a certificate of a public authority for this host.',
		clientId
	],
	'client_document.fetched wrong_content_type': [
		'The response is not JSON. Often it is a page of HTML, such as an error page.',
		'Send Content-Type: application/json.',
		type
	],
	'client_document.fetched wrong_status': [
		'The response has another status than 200.',
		'Open the URL without cookies. It must need no sign-in.',
		clientId
	],
	'client_document.is_json': [
		'The text is not JSON, or it is a list or a single value.',
		'Send one JSON object in UTF-8.',
		'response.end(JSON.stringify(client))'
	],
	'client_document.client_id_equal missing': [
		'The document does not say whose it is.',
		'Add client_id, with the URL of the document.',
		'"client_id": "https://app.example/client.json"'
	],
	'client_document.client_id_equal different': [
		'The document names another client_id. Both are compared as text, so a slash at the end counts. Anyone could publish a copy of a document.',
		'Write the same URL in the request and in the document.',
		'"client_id": "https://app.example/client.json"'
	],
	'client_document.metadata_valid malformed': [
		'A field has another type than RFC 7591 says.',
		'Lists such as redirect_uris are lists of texts.',
		uris
	],
	'client_document.metadata_valid secret': [
		'The document contains a secret, and everyone can read the document.',
		'Remove it. The client is public and uses PKCE.',
		none
	],
	'client_document.metadata_valid with_authentication': [
		'The document asks for client authentication, and this service takes public clients from documents only.',
		'Set the method to none, and use PKCE.',
		none
	],
	'client_document.metadata_valid other_grants': [
		'The lists of the document leave out what this request needs.',
		'Add authorization_code and code, or leave both lists out.',
		'"grant_types": ["authorization_code", "refresh_token"]'
	],
	'client_document.redirect_uris_valid': [
		'The document has no redirect URI, more than ten, or one that no application can have.',
		'List HTTPS URIs, loopback addresses or private-use schemes.',
		uris
	],
	'client_document.client_stored too_many_clients': [
		'This sandbox has 20 clients that registered themselves or have a document, and all are used.',
		'Delete some in the console.',
		'await api.request("DELETE /control/applications/{client_id}", { path: { client_id } })'
	],
	'client_document.returned': [
		'This sandbox hosts no document with this name.',
		'Write it in the console, or use its exact name.',
		clientId
	]
} as const satisfies CheckExplanations;
