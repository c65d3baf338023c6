import type { App } from '../conformance/sandbox.ts';
import type { TestRequest } from '../conformance/transport.ts';

/** A way to send a value. Paths are below the base URL of a sandbox. */
export type Way = (value: string, app: App) => TestRequest;

const form = ['Content-Type', 'application/x-www-form-urlencoded'];
const post = (body: string, type = form[1] ?? '', target = '/ws/oauth2/token/'): TestRequest => ({
	method: 'POST',
	target,
	headers: ['Content-Type', type],
	body
});
const get = (target: string, ...headers: string[]): TestRequest => ({ target, headers });
const resource = '/ws/v2.0/ratelimits';
const query = (text: string) => get(`${resource}?${text}`);
const header = (name: string, value: string) => get(resource, name, value);
const json = (value: object) => post(JSON.stringify(value), 'application/json');
const xml = (body: string) => post(body, 'application/xml');
const part = (name: string, value: string) =>
	post(
		`--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n--b--\r\n`,
		'multipart/form-data; boundary=b'
	);
/** Percent-encodes every character. */
const everyByte = (value: string) =>
	[...value].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const twice = (value: string) => encodeURIComponent(everyByte(value));
const authorize = (more: string, { client_id, redirect_uri }: App) =>
	get(
		`/ws/oauth2/auth/?response_type=code&client_id=${client_id}&redirect_uri=${encodeURIComponent(redirect_uri)}&scope=character_read&${more}`
	);
const login = (more: string, { client_id, client_secret }: App) =>
	`client_id=${client_id}&client_secret=${client_secret}&${more}`;

/** Ways in which a secret name is beside the value, so that any value can be recognized. */
export const namedWays: Record<string, Way> = {
	'in the query of a resource': (value) => query(`access_token=${value}`),
	'in the query, name percent-encoded': (value) => query(`access%5Ftoken=${value}`),
	'in the query, in capitals': (value) => query(`ACCESS_TOKEN=${value}`),
	'in the query, in camel case': (value) => query(`clientSecret=${value}`),
	'in the query, in brackets': (value) => query(`client_secret[]=${value}`),
	'in the query, twice': (value) => query(`access_token=${value}&access_token=${value}`),
	'in the query, after a semicolon': (value) => query(`a=1;client_secret=${value}`),
	'in the query, after a question mark': (value) => query(`a=1?client_secret=${value}`),
	'in the query, percent-encoded': (value) => query(`client_secret=${everyByte(value)}`),
	'in the query of a token request': (value, app) =>
		post(login('grant_type=x', app), form[1], `/ws/oauth2/token/?refresh_token=${value}`),
	'in the query of a revocation': (value) => get(`/ws/oauth2/revoke?token=${value}&client_id=unknown`),
	'in the query of an authorization request': (value, app) => authorize(`client_secret=${value}`, app),
	'as password in the query': (value) => query(`user_password=${value}`),
	'as API key in the query': (value) => query(`api_key=${value}`),
	'in a URL in the query': (value) => query(`u=https%3A%2F%2Fx.example%2F%3Fclient_secret%3D${value}`),
	'in a URL in a URL in the query': (value) => query(`u=https%253A%252F%252Fx.example%253Fclient_secret%253D${value}`),
	'in the user info of a URL': (value) => query(`u=https%3A%2F%2Fuser%3A${value}%40x.example%2F`),
	'in a redirect URI': (value) =>
		get(`/ws/oauth2/auth/?client_id=x&redirect_uri=${encodeURIComponent(`https://x.example/?code=${value}`)}`),
	'in the path, as a parameter': (value) => get(`/ws/v2.0/character/x;access_token=${value}`),
	'in the path, behind an encoded question mark': (value) => get(`/ws/v2.0/character/x%3Faccess_token=${value}`),
	'in an unknown path': (value) => get(`/ws/unknown&token=${value}`),
	'with a wrong method': (value) => ({ ...query(`access_token=${value}`), method: 'PUT' }),
	'in Authorization, as Bearer': (value) => header('Authorization', `Bearer ${value}`),
	'in Authorization, without a scheme': (value) => header('Authorization', value),
	'in Authorization, as Basic': (value) => header('Authorization', `Basic ${btoa(`x:${value}`)}`),
	'in Proxy-Authorization': (value) => header('Proxy-Authorization', `OAuth ${value}`),
	'in X-Access-Token': (value) => header('X-Access-Token', value),
	'in X-Client-Secret': (value) => header('X-Client-Secret', value),
	'in X-Pass': (value) => header('X-Pass', value),
	'in X-Api-Key': (value) => header('X-Api-Key', value),
	'in X-Auth': (value) => header('X-Auth', value),
	'in a cookie': (value) => header('Cookie', `a=1; session=${value}`),
	'in Referer': (value) => header('Referer', `https://x.example/?code=${value}`),
	'in the fragment of Referer': (value) => header('Referer', `https://x.example/#access_token=${value}`),
	'in Origin-URL': (value) => header('X-Original-URL', `/a?password=${value}`),
	'in a header with a pair': (value) => header('X-Data', `a=1, client_secret=${value}`),
	'in a header with JSON': (value) => header('X-Data', `{"client_secret":"${value}"}`),
	'in a form': (value, app) => post(login(`grant_type=refresh_token&refresh_token=${value}`, app)),
	'in a form, twice': (value) => post(`client_secret=${value}&client_secret=${value}`),
	'in a form, as code': (value, app) => post(login(`grant_type=authorization_code&code=${value}`, app)),
	'in a form, as code_verifier': (value, app) => post(login(`grant_type=x&code_verifier=${value}`, app)),
	'in a form, after a semicolon': (value) => post(`a=1;refresh_token=${value}`),
	'in a form, on a separate line': (value) => post(`a=1\nrefresh_token=${value}`),
	'in a form that is called text': (value) => post(`password=${value}`, 'text/plain'),
	'in a form with an encoding': (value) => ({
		...post(`password=${value}`),
		headers: [...form, 'Content-Encoding', 'gzip']
	}),
	'in a form of the sign-in page': (value) =>
		post(`interaction=x&username=x&password=${value}`, form[1], '/ws/oauth2/auth/'),
	'in JSON': (value) => json({ client_secret: value }),
	'in JSON, nested': (value) => json({ a: [{ refresh_token: value }] }),
	'in JSON, in camel case': (value) => json({ clientSecret: value }),
	'in JSON, in a list': (value) => json({ password: [value] }),
	'in JSON that is sent as a form': (value) => post(JSON.stringify({ a: 'b&c=d', password: value })),
	'in JSON, as name and value': (value) => json({ name: 'client_secret', value }),
	'in JSON, with escapes in the name': (value) => post(`{"refresh\\u005ftoken":"${value}"}`, 'application/json'),
	'in JSON that is cut off': (value) => post(`{"refresh_token" : "${value}`, 'application/json'),
	'in JSON in JSON': (value) => json({ body: JSON.stringify({ password: value }) }),
	'in XML': (value) => xml(`<OAuth><refresh_token>${value}</refresh_token></OAuth>`),
	'in XML, with an attribute': (value) => xml(`<client_secret type="text">${value}</client_secret>`),
	'in XML, as an attribute': (value) => xml(`<login password="${value}"/>`),
	'in XML, as CDATA': (value) => xml(`<client_secret><![CDATA[${value}]]></client_secret>`),
	'in XML, with references in the name': (value) => xml(`client&#95;secret=${value}`),
	'in a multipart body': (value) => part('client_secret', value),
	'in a body of a control request': (value) => post(`{"password":"${value}"}`, 'application/json', '/control/clock')
};

/** Ways in which nothing but the value itself says that it is a secret. */
export const unnamedWays: Record<string, Way> = {
	'as an unknown parameter': (value) => query(`x=${value}`),
	'as the name of a parameter': (value) => query(`${value}=1`),
	'as the whole query': (value) => query(value),
	'as an unknown parameter, percent-encoded': (value) => query(`x=${everyByte(value)}`),
	'as an unknown parameter, percent-encoded twice': (value) => query(`x=${twice(value)}`),
	'as a part of a longer value': (value) => query(`x=before.${value}.after`),
	'as client_id': (value, { redirect_uri }) =>
		get(`/ws/oauth2/auth/?client_id=${value}&redirect_uri=${encodeURIComponent(redirect_uri)}`),
	'as scope': (value, app) => authorize(`scope=${value}`, app),
	'as access_type': (value, app) => authorize(`access_type=${value}`, app),
	'as response_type': (value, { client_id }) => get(`/ws/oauth2/auth/?response_type=${value}&client_id=${client_id}`),
	'as client_id of a revocation': (value) => get(`/ws/oauth2/revoke?token=x&client_id=${value}`),
	'in the path': (value) => get(`/ws/v2.0/character/${value}`),
	'in the path, percent-encoded': (value) => get(`/ws/v2.0/character/${everyByte(value)}`),
	'as an unknown path': (value) => get(`/ws/${value}`),
	'as grant_type': (value, app) => post(login(`grant_type=${value}`, app)),
	'as the name of a field, twice': (value) => post(`${value}=1&${value}=2`),
	'as the name of a malformed field': (value) => post(`${value}=%FF`),
	'as client_id in a form': (value) => post(`grant_type=refresh_token&client_id=${value}&client_secret=x`),
	'as redirect_uri in a form': (value, app) =>
		post(login(`grant_type=authorization_code&code=x&redirect_uri=${value}`, app)),
	'as the whole form': (value) => post(value),
	'as text': (value) => post(`see ${value} here`, 'text/plain'),
	'as JSON': (value) => post(JSON.stringify([value]), 'application/json'),
	'as XML': (value) => xml(`<a>${value}</a>`),
	'as bytes': (value) => post(`\u0000${value}\u0000`, 'application/octet-stream'),
	'across the end of what the log keeps': (value) => post(`${' '.repeat(4096 - 30)}${value}`, 'text/plain'),
	'as User-Agent': (value) => header('User-Agent', `client/1.0 ${value}`),
	'as an unknown header': (value) => header('X-Data', value),
	'as an unknown header, percent-encoded': (value) => header('X-Data', everyByte(value)),
	'as Content-Type': (value) => post('a=1', `text/${value}`),
	'as the scheme of Authorization': (value) => header('Authorization', `${value} x`),
	'as the path of Referer': (value) => header('Referer', `https://x.example/${value}`),
	'as Last-Event-ID': (value) => header('Last-Event-ID', value),
	'as X-Request-Id': (value) => header('X-Request-Id', value),
	'as user name': (value) => post(`interaction=x&username=${value}&password=x`, form[1], '/ws/oauth2/auth/'),
	'as CSRF token': (value) => post(`csrf_token=${value}&action=sign-in`, form[1], '/account')
};
