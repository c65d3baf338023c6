// A web client with .NET's own classes: `mcs -r:System.Net.Http.dll WebClient.cs`, then `mono WebClient.exe PORT [MISTAKE]`.
// As in ASP.NET, the state is what the server has encrypted for itself, and a correlation cookie binds it to the browser.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

class Session
{
	public string Access, Refresh;
	public readonly SemaphoreSlim Lock = new SemaphoreSlim(1);
	public readonly ConcurrentDictionary<string, Reply> Cache = new ConcurrentDictionary<string, Reply>();
}

class Reply
{
	public readonly int Status;
	public readonly string Body;
	public DateTime Until;
	public Reply(int status, string body) { Status = status; Body = body; }
}

static class WebClient
{
	static readonly string baseUrl = Environment.GetEnvironmentVariable("TOLLGATE_BASE_URL");
	static readonly string id = Environment.GetEnvironmentVariable("TOLLGATE_CLIENT_ID");
	static readonly string secret = Environment.GetEnvironmentVariable("TOLLGATE_CLIENT_SECRET");
	static readonly string redirect = Environment.GetEnvironmentVariable("TOLLGATE_REDIRECT_URI");
	static readonly ConcurrentDictionary<string, Session> sessions = new ConcurrentDictionary<string, Session>();
	static readonly byte[] encryptionKey = RandomBytes(32), signingKey = RandomBytes(32);
	static string mistake = "";
	static HttpClient http;
	static DateTime blockedUntil = DateTime.MinValue, checkedAt = DateTime.MinValue;
	static int silences;

	static void Main(string[] args)
	{
		if (args.Length > 1) mistake = args[1];
		ServicePointManager.DefaultConnectionLimit = 20;
		http = new HttpClient(new HttpClientHandler
		{
			AllowAutoRedirect = false,
			ServerCertificateCustomValidationCallback = IssuedBy(Environment.GetEnvironmentVariable("SSL_CERT_FILE"))
		}) { Timeout = TimeSpan.FromSeconds(20) };
		var listener = new HttpListener();
		listener.Prefixes.Add("http://localhost:" + args[0] + "/");
		listener.Start();
		while (true)
		{
			var context = listener.GetContext();
			Task.Run(() => Respond(context));
		}
	}

	static async Task Respond(HttpListenerContext context)
	{
		var request = context.Request;
		var response = context.Response;
		var sid = request.Cookies["sid"]?.Value ?? RandomText();
		var session = sessions.GetOrAdd(sid, _ => new Session());
		response.Headers.Add("Set-Cookie", "sid=" + sid + "; HttpOnly; Path=/; SameSite=Lax");
		Reply reply;
		try
		{
			switch (request.Url.AbsolutePath)
			{
				case "/login": reply = Login(response); break;
				case "/callback": reply = await Callback(session, request, response); break;
				case "/me": reply = await Read(session, request.QueryString["name"] ?? "Mara Vell"); break;
				case "/logout": reply = await Logout(session); break;
				default: reply = new Reply(200, "Hello"); break;
			}
		}
		catch (Exception)
		{
			reply = new Reply(502, "The service failed. Try again.");
		}
		try
		{
			response.StatusCode = reply.Status;
			if (reply.Status == 303) response.RedirectLocation = reply.Body;
			var bytes = Encoding.UTF8.GetBytes(reply.Status == 303 ? "" : reply.Body);
			response.Close(bytes, true);
		}
		catch (HttpListenerException)
		{
			// The browser has gone.
		}
	}

	static Reply Login(HttpListenerResponse response)
	{
		var (correlation, verifier) = (RandomText(), RandomText());
		response.AppendHeader("Set-Cookie", "correlation=" + correlation + "; HttpOnly; Path=/callback; SameSite=Lax; Max-Age=900");
		var query = new Dictionary<string, string>
		{
			["response_type"] = "code", ["client_id"] = id, ["redirect_uri"] = redirect,
			["scope"] = "character_read", ["access_type"] = "offline", ["state"] = Protect(correlation + " " + verifier)
		};
		if (mistake != "state is not compared")
		{
			query["code_challenge_method"] = "S256";
			using (var sha = SHA256.Create()) query["code_challenge"] = Encode(sha.ComputeHash(Encoding.ASCII.GetBytes(verifier)));
		}
		return new Reply(303, baseUrl + "/ws/oauth2/auth/?" + Form(query));
	}

	static async Task<Reply> Callback(Session session, HttpListenerRequest request, HttpListenerResponse response)
	{
		var query = request.QueryString;
		var properties = (Unprotect(query["state"]) ?? " ").Split(' ');
		var correlation = request.Cookies["correlation"]?.Value;
		var isMine = correlation != null && correlation == properties[0];
		// A state works once: what it is compared with ends.
		response.AppendHeader("Set-Cookie", "correlation=; Path=/callback; Max-Age=0");
		if (!isMine && mistake != "state is not compared") return new Reply(400, "Correlation failed.");
		if (query["error"] != null || query["code"] == null) return new Reply(403, "You did not allow access.");
		var fields = new Dictionary<string, string>
		{
			["grant_type"] = "authorization_code", ["code"] = query["code"], ["redirect_uri"] = redirect
		};
		if (mistake != "state is not compared") fields["code_verifier"] = properties[1];
		var reply = await RequestToken(fields);
		if (reply.Status != 200 || Field(reply.Body, "access_token") == null) return new Reply(502, "Sign in again.");
		Keep(session, reply.Body);
		return new Reply(303, "/");
	}

	static async Task<Reply> Read(Session session, string name)
	{
		var token = session.Access;
		if (token == null) return new Reply(401, "Sign in first.");
		Reply cached;
		if (session.Cache.TryGetValue(name, out cached) && cached.Until > DateTime.UtcNow) return cached;
		if (DateTime.UtcNow < blockedUntil && mistake != "ignores the limit") return new Reply(503, "Try later.");
		if (silences >= 2 && await IsBlacklisted()) return new Reply(503, "Try later.");
		var reply = await Call(name, token);
		if (reply.Status == 401 && session.Refresh != null)
		{
			if (mistake == "refreshes without a lock") await Refresh(session);
			else await RefreshOnce(session, token);
			if (session.Access == null) return new Reply(401, "Sign in first.");
			if (session.Access != token) reply = await Call(name, session.Access);
		}
		if (reply.Status == 200)
		{
			reply.Until = DateTime.UtcNow.AddSeconds(60);
			session.Cache[name] = reply;
		}
		return reply.Status == 401 ? new Reply(401, "Sign in first.") : reply;
	}

	/** Of calls at the same time, the first refreshes, and the others get its token. */
	static async Task RefreshOnce(Session session, string token)
	{
		await session.Lock.WaitAsync();
		try
		{
			if (session.Access == token) await Refresh(session);
		}
		finally
		{
			session.Lock.Release();
		}
	}

	static async Task Refresh(Session session)
	{
		var reply = await RequestToken(new Dictionary<string, string>
		{
			["grant_type"] = "refresh_token", ["refresh_token"] = session.Refresh
		});
		if (reply.Status == 200) Keep(session, reply.Body);
		else if (Field(reply.Body, "error") == "invalid_grant") session.Access = session.Refresh = null;
	}

	static void Keep(Session session, string body)
	{
		session.Access = Field(body, "access_token");
		session.Refresh = Field(body, "refresh_token") ?? session.Refresh;
	}

	static async Task<Reply> Logout(Session session)
	{
		var token = session.Refresh;
		session.Access = session.Refresh = null;
		var query = new Dictionary<string, string> { ["token"] = token, ["client_id"] = id };
		if (token != null) await Send(new HttpRequestMessage(HttpMethod.Get, baseUrl + "/ws/oauth2/revoke?" + Form(query)));
		return new Reply(303, "/");
	}

	static async Task<Reply> Call(string name, string token)
	{
		var request = new HttpRequestMessage(HttpMethod.Get, baseUrl + "/ws/v2.0/character/" + Uri.EscapeDataString(name));
		request.Headers.Authorization = new AuthenticationHeaderValue("OAuth", token);
		try
		{
			var reply = await Send(request);
			silences = 0;
			return reply;
		}
		catch (Exception)
		{
			Interlocked.Increment(ref silences);
			throw;
		}
	}

	static async Task<bool> IsBlacklisted()
	{
		if (DateTime.UtcNow - checkedAt < TimeSpan.FromSeconds(5)) return true;
		checkedAt = DateTime.UtcNow;
		try
		{
			var reply = await Send(new HttpRequestMessage(HttpMethod.Get, baseUrl + "/ratelimiting"));
			var isIt = Field(reply.Body, "state") == "blacklisted";
			if (!isIt) silences = 0;
			return isIt;
		}
		catch (Exception)
		{
			return true;
		}
	}

	static Task<Reply> RequestToken(Dictionary<string, string> fields)
	{
		var all = new Dictionary<string, string>(fields) { ["client_id"] = id, ["client_secret"] = secret };
		return Send(new HttpRequestMessage(HttpMethod.Post, baseUrl + "/ws/oauth2/token/") { Content = new FormUrlEncodedContent(all) });
	}

	static async Task<Reply> Send(HttpRequestMessage request)
	{
		request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
		using (var response = await http.SendAsync(request))
		{
			var text = await response.Content.ReadAsStringAsync();
			var reset = Header(response, "X-RateLimit-Reset");
			var date = response.Headers.Date;
			if (Header(response, "X-RateLimit-Remaining") == "0" && reset != null && date != null)
				blockedUntil = DateTime.UtcNow.AddSeconds(long.Parse(reset) - date.Value.ToUnixTimeSeconds() + 1);
			return new Reply((int)response.StatusCode, text);
		}
	}

	static string Header(HttpResponseMessage response, string name) =>
		response.Headers.TryGetValues(name, out var values) ? values.First() : null;

	static string Field(string json, string name)
	{
		var found = Regex.Match(json, "\"" + name + "\"\\s*:\\s*\"([^\"]*)\"");
		return found.Success ? found.Groups[1].Value : null;
	}

	static string Form(Dictionary<string, string> fields) =>
		string.Join("&", fields.Select(field => field.Key + "=" + Uri.EscapeDataString(field.Value)));

	/** Encrypts and signs, as the data protection of ASP.NET does. */
	static string Protect(string text)
	{
		using (var aes = Aes.Create())
		using (var hmac = new HMACSHA256(signingKey))
		{
			aes.Key = encryptionKey;
			var plain = Encoding.UTF8.GetBytes(text);
			var encrypted = aes.IV.Concat(aes.CreateEncryptor().TransformFinalBlock(plain, 0, plain.Length)).ToArray();
			return Encode(encrypted.Concat(hmac.ComputeHash(encrypted)).ToArray());
		}
	}

	static string Unprotect(string text)
	{
		try
		{
			var bytes = Decode(text);
			var encrypted = bytes.Take(bytes.Length - 32).ToArray();
			using (var aes = Aes.Create())
			using (var hmac = new HMACSHA256(signingKey))
			{
				if (!hmac.ComputeHash(encrypted).SequenceEqual(bytes.Skip(encrypted.Length))) return null;
				aes.Key = encryptionKey;
				aes.IV = encrypted.Take(16).ToArray();
				return Encoding.UTF8.GetString(aes.CreateDecryptor().TransformFinalBlock(encrypted, 16, encrypted.Length - 16));
			}
		}
		catch (Exception)
		{
			return null;
		}
	}

	static byte[] RandomBytes(int count)
	{
		var bytes = new byte[count];
		using (var generator = RandomNumberGenerator.Create()) generator.GetBytes(bytes);
		return bytes;
	}

	static string RandomText() => Encode(RandomBytes(32));

	static string Encode(byte[] bytes) => Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');

	static byte[] Decode(string text) =>
		Convert.FromBase64String(text.Replace('-', '+').Replace('_', '/').PadRight((text.Length + 3) / 4 * 4, '='));

	/** Accepts a certificate of the issuer in a file. Mono cannot check signatures with elliptic curves: real clients must. */
	static Func<HttpRequestMessage, X509Certificate2, X509Chain, SslPolicyErrors, bool> IssuedBy(string file)
	{
		var pem = Regex.Match(File.ReadAllText(file), "-----BEGIN CERTIFICATE-----(.*?)-----END", RegexOptions.Singleline);
		var authority = new X509Certificate2(Convert.FromBase64String(pem.Groups[1].Value));
		return (request, certificate, chain, errors) => certificate.Issuer == authority.Subject;
	}
}
