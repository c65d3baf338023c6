import { wrongMethod, type CheckExplanations } from './explanation.ts';

const contentType = "headers: { 'Content-Type': 'application/x-www-form-urlencoded' }";
const form = 'body: new URLSearchParams({ grant_type, code, redirect_uri, client_id, client_secret })';
const credentials = "body.set('client_id', clientId); body.set('client_secret', clientSecret)";

/** Of the checks that every token request passes. */
export const tokenRequest = {
	'token.method_is_post': wrongMethod('POST', 'Send the fields in the body of a POST, never in the URL.'),
	'token.form_is_valid wrong_content_type': [
		'The Content-Type is not that of a form. JSON and multipart bodies are not read.',
		'Send the fields as a form.',
		contentType
	],
	'token.form_is_valid wrong_charset': [
		'The Content-Type names a character set other than UTF-8.',
		'Encode the form as UTF-8, and leave the charset out.',
		contentType
	],
	'token.form_is_valid content_encoding': [
		'The body is compressed.',
		'Remove Content-Encoding and send the body uncompressed.',
		contentType
	],
	'token.form_is_valid not_utf8': [
		'The bytes of the body are not UTF-8.',
		'Let the form encoder of your platform write the body.',
		form
	],
	'token.form_is_valid duplicate_field': [
		'One field is in the body twice, so its value is ambiguous.',
		'Send each field once. Replace values, and do not append them.',
		"body.set('redirect_uri', redirectUri) // not append"
	],
	'token.form_is_valid malformed_field': [
		'A percent sign in a value is not followed by two hexadecimal digits, or the decoded bytes are not UTF-8.',
		'Encode every value once.',
		form
	],
	'token.form_is_valid too_many_fields': [
		'The body has more than 100 fields. A token request has at most seven.',
		'Send only the fields of the grant type.',
		form
	],
	'token.client_authenticated missing_client_id': [
		'The body has no client_id.',
		'Add client_id and client_secret to the form.',
		credentials
	],
	'token.client_authenticated missing_secret': [
		'The application exists, and the request has no client_secret.',
		'Every application has a secret here, installed ones too. Add it to the form.',
		"body.set('client_secret', process.env.CLIENT_SECRET)"
	],
	'token.client_authenticated unknown_client': [
		'No application of this sandbox has this client_id.',
		'Compare it with the console. Each sandbox has its own applications.',
		"body.set('client_id', process.env.CLIENT_ID)"
	],
	'token.client_authenticated wrong_secret': [
		'The client_id is right, and the client_secret is not. The secret may have been rotated.',
		'Create a new secret in the console if you no longer have the current one.',
		"body.set('client_secret', process.env.CLIENT_SECRET)"
	],
	'token.client_authenticated credentials_in_header': [
		'The credentials are in the Authorization header. This service reads them from the body only.',
		'Configure your library for client_secret_post.',
		"token_endpoint_auth_method: 'client_secret_post'"
	],
	'token.client_authenticated credentials_sent_twice': [
		'The secret is in the header and in the body.',
		'Choose one place. The body works in every setting of this service.',
		"token_endpoint_auth_method: 'client_secret_post'"
	],
	'token.client_authenticated client_ids_differ': [
		'The header names one client, and the body another.',
		'Remove the Authorization header, and send one client_id.',
		credentials
	],
	'token.grant_type_supported missing_field': [
		'The form has no grant_type.',
		'Add it: authorization_code for a code, refresh_token for a refresh.',
		"body.set('grant_type', 'authorization_code')"
	],
	'token.grant_type_supported unknown_grant_type': [
		'The dialect of the sandbox does not have this grant type.',
		'Send the user to the authorization endpoint, and exchange the code.',
		"body.set('grant_type', 'authorization_code')"
	],
	'token.grant_type_supported not_registered': [
		'The client registered other grant types, so this one is not for it.',
		'Add the grant type to grant_types of the registration or of the document.',
		'"grant_types": ["authorization_code", "refresh_token"]'
	],
	'token.grant_type_supported needs_secret': [
		'The application is installed, so its secret is on the machines of its users. Anyone could get this access with it.',
		'Register a web application, and send the request from a server.',
		"body.set('client_id', idOfWebApplication)"
	],
	'token.scope_without_user malformed_scope': [
		'The value of scope has a character that no permission has, or is longer than 1,024 characters.',
		'Send the permissions with one space between them.',
		"body.set('scope', scopes.join(' '))"
	],
	'token.scope_without_user needs_user': [
		'The permission opens data of the user who gives it, and client credentials have no user.',
		'Leave it out, or send a user to the authorization endpoint for it.',
		"body.delete('scope')"
	],
	'token.scope_without_user unknown_scope': [
		'The sandbox has no permission of this name.',
		'Choose from scopes_supported of the metadata.',
		"body.set('scope', 'character_read')"
	],
	'token.grant_type_supported wrong_letter_case': [
		'The value of grant_type is case-sensitive.',
		'Write it in lower case.',
		"body.set('grant_type', 'refresh_token')"
	]
} satisfies CheckExplanations;
