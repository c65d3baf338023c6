import { authorizationQuery, doubleQuoted, pastePrompt, type Snippet } from './snippet.ts';

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
var secret = Environment.GetEnvironmentVariable("CLIENT_SECRET") ?? throw new Exception("Set CLIENT_SECRET.");
using var http = new HttpClient();

static string Base64Url(byte[] bytes) =>
    Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');

async Task<JsonElement> RequestTokens(Dictionary<string, string> form)
{
    form["client_id"] = ClientId;
    form["client_secret"] = secret;
    using var response = await http.PostAsync(Base + "/ws/oauth2/token/", new FormUrlEncodedContent(form));
    var body = await response.Content.ReadAsStringAsync();
    if (!response.IsSuccessStatusCode) throw new Exception(body);
    return JsonDocument.Parse(body).RootElement;
}

// 1. Ask the user for access. state and PKCE bind the code to this run.
var state = Base64Url(RandomNumberGenerator.GetBytes(16));
var verifier = Base64Url(RandomNumberGenerator.GetBytes(32));
var challenge = Base64Url(SHA256.HashData(Encoding.ASCII.GetBytes(verifier)));
Console.WriteLine("Open this URL in a browser:");
Console.WriteLine(Base + "/ws/oauth2/auth/?${authorizationQuery(input)}&state=" + state + "&code_challenge=" + challenge);
${
	input.kind === 'installed'
		? String.raw`Console.Write("Paste the code: ");
var code = Console.ReadLine()!.Trim();`
		: String.raw`Console.Write("${pastePrompt(input)}");
var callback = new Uri(Console.ReadLine()!.Trim()).Query.TrimStart('?').Split('&')
    .Select(pair => pair.Split('=', 2))
    .ToDictionary(pair => pair[0], pair => Uri.UnescapeDataString(pair.Length > 1 ? pair[1] : ""));
if (callback.GetValueOrDefault("state") != state) throw new Exception("The state does not match.");
var code = callback["code"];`
}

// 2. Exchange the code for tokens.
var tokens = await RequestTokens(new()
{
    ["grant_type"] = "authorization_code",
    ["code"] = code,
    ["code_verifier"] = verifier,
    ["redirect_uri"] = RedirectUri,${input.kind === 'installed' ? '\n    ["access_type"] = "offline",' : ''}
});

// 3. Request a resource. The headers report the rate limit.
using var request = new HttpRequestMessage(HttpMethod.Get, Base + "${input.path}");
request.Headers.Authorization = new AuthenticationHeaderValue("OAuth", tokens.GetProperty("access_token").GetString());
using var character = await http.SendAsync(request);
foreach (var header in character.Headers.Where(header => header.Key.StartsWith("X-RateLimit", StringComparison.OrdinalIgnoreCase)))
    Console.WriteLine($"{header.Key}: {string.Join(", ", header.Value)}");
Console.WriteLine((int)character.StatusCode + " " + await character.Content.ReadAsStringAsync());

// 4. Get a new access token. Only the first exchange for a user returns a refresh token.
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
    Console.WriteLine("No refresh token. Revoke access and run it again to get one.");
}
`
};
