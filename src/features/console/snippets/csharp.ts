import { doubleQuoted, type ProgramInput, type Snippet } from './snippet.ts';

export const csharp: Snippet = {
	label: 'C#',
	file: 'Program.cs',
	language: 'ts',
	install: 'dotnet new console',
	run: 'dotnet run',
	trust: 'SSL_CERT_FILE',
	code: (input) => String.raw`using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

const string Base = ${doubleQuoted(input.baseUrl)};
const string ClientId = ${doubleQuoted(input.client_id)};
const string RedirectUri = ${doubleQuoted(input.redirect_uri)};
${input.hasSecret ? 'var secret = Environment.GetEnvironmentVariable("CLIENT_SECRET") ?? throw new Exception("Set CLIENT_SECRET.");\n' : ''}using var http = new HttpClient();
${endpointsOf(input)}

static string Base64Url(byte[] bytes) =>
    Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');

async Task<JsonElement> RequestTokens(Dictionary<string, string> form)
{
    form["client_id"] = ClientId;
${input.hasSecret ? '    form["client_secret"] = secret;\n' : ''}    using var response = await http.PostAsync(tokenEndpoint, new FormUrlEncodedContent(form));
    var body = await response.Content.ReadAsStringAsync();
    if (!response.IsSuccessStatusCode) throw new Exception(body);
    return JsonDocument.Parse(body).RootElement;
}

// 1. Ask the user for access. state and PKCE bind the code to this run.
var state = Base64Url(RandomNumberGenerator.GetBytes(16));
var verifier = Base64Url(RandomNumberGenerator.GetBytes(32));
var challenge = Base64Url(SHA256.HashData(Encoding.ASCII.GetBytes(verifier)));
Console.WriteLine("Open this URL in a browser:");
Console.WriteLine(authorizationEndpoint + "?${input.query}&state=" + state + "&code_challenge=" + challenge);
${
	input.pastesCode
		? String.raw`Console.Write("Paste the code: ");
var code = Console.ReadLine()!.Trim();`
		: String.raw`Console.Write("${input.pastePrompt}");
var callback = new Uri(Console.ReadLine()!.Trim()).Query.TrimStart('?').Split('&')
    .Select(pair => pair.Split('=', 2))
    .ToDictionary(pair => pair[0], pair => Uri.UnescapeDataString(pair.Length > 1 ? pair[1] : ""));
if (callback.GetValueOrDefault("state") != state) throw new Exception("The state does not match.");${checkIssuer(input)}
var code = callback["code"];`
}

// 2. Exchange the code for tokens.
var tokens = await RequestTokens(new()
{
    ["grant_type"] = "authorization_code",
    ["code"] = code,
    ["code_verifier"] = verifier,
    ["redirect_uri"] = RedirectUri,${input.offlineIn === 'token' ? '\n    ["access_type"] = "offline",' : ''}
});

// 3. Request a resource. The headers report the rate limit.
using var request = new HttpRequestMessage(HttpMethod.Get, Base + "${input.path}");
request.Headers.Authorization = new AuthenticationHeaderValue("${input.dialect.tokenType}", tokens.GetProperty("access_token").GetString());
using var character = await http.SendAsync(request);
foreach (var header in character.Headers.Where(header => header.Key.StartsWith("X-RateLimit", StringComparison.OrdinalIgnoreCase)))
    Console.WriteLine($"{header.Key}: {string.Join(", ", header.Value)}");
Console.WriteLine((int)character.StatusCode + " " + await character.Content.ReadAsStringAsync());

// 4. ${input.refreshComment}
if (tokens.TryGetProperty("refresh_token", out var refreshToken))
{
    var refreshed = await RequestTokens(new()
    {
        ["grant_type"] = "refresh_token",
        ["refresh_token"] = refreshToken.GetString()!
    });
    Console.WriteLine("Refreshed: " + refreshed.GetProperty("access_token").GetString()![..6] + "…");
}
else
{
    Console.WriteLine("${input.noRefreshToken}");
}
`
};

/** The lines that set the URLs of the endpoints. */
function endpointsOf(input: ProgramInput): string {
	if (!input.dialect.metadata)
		return `var authorizationEndpoint = Base + "/ws/oauth2/auth/";
var tokenEndpoint = Base + "/ws/oauth2/token/";`;
	return `var server = JsonDocument.Parse(await http.GetStringAsync(${doubleQuoted(input.metadataUrl)})).RootElement;
if (server.GetProperty("issuer").GetString() != Base) throw new Exception("The metadata is that of another issuer.");
var authorizationEndpoint = server.GetProperty("authorization_endpoint").GetString();
var tokenEndpoint = server.GetProperty("token_endpoint").GetString();`;
}

/** The line that compares the issuer of the authorization response (RFC 9207). */
function checkIssuer({ dialect }: ProgramInput): string {
	if (!dialect.iss) return '';
	return `
if (callback.GetValueOrDefault("iss") != Base) throw new Exception("The response is that of another issuer.");`;
}
