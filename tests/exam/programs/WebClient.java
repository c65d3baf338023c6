// A web client with Java's own HTTP classes: `java WebClient.java PORT [MISTAKE]`.
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

public class WebClient {
	static final String base = System.getenv("TOLLGATE_BASE_URL");
	static final String id = System.getenv("TOLLGATE_CLIENT_ID");
	static final String secret = System.getenv("TOLLGATE_CLIENT_SECRET");
	static final String redirect = System.getenv("TOLLGATE_REDIRECT_URI");
	static String mistake = "";
	static final Map<String, Session> sessions = new ConcurrentHashMap<>();
	static volatile long blockedUntil = 0;
	static volatile int silences = 0;

	static class Session {
		String state, verifier, access, refresh;
		final Map<String, Object[]> cache = new ConcurrentHashMap<>();
	}

	record Reply(int status, String body) {}

	public static void main(String[] args) throws Exception {
		if (args.length > 1) mistake = args[1];
		trust(System.getenv("SSL_CERT_FILE"));
		HttpServer server = HttpServer.create(new InetSocketAddress("localhost", Integer.parseInt(args[0])), 0);
		server.setExecutor(Executors.newFixedThreadPool(8));
		server.createContext("/", WebClient::respond);
		server.start();
	}

	static void respond(HttpExchange exchange) throws IOException {
		String cookie = exchange.getRequestHeaders().getFirst("Cookie");
		Matcher found = Pattern.compile("sid=([\\w-]+)").matcher(cookie == null ? "" : cookie);
		String sid = found.find() ? found.group(1) : random();
		Session session = sessions.computeIfAbsent(sid, key -> new Session());
		exchange.getResponseHeaders().set("Set-Cookie", "sid=" + sid + "; HttpOnly; Path=/; SameSite=Lax");
		Map<String, String> query = parse(exchange.getRequestURI().getRawQuery());
		Reply reply;
		try {
			reply = switch (exchange.getRequestURI().getPath()) {
				case "/login" -> login(session);
				case "/callback" -> callback(session, query);
				case "/me" -> read(session, query.getOrDefault("name", "Mara Vell"));
				case "/logout" -> logout(session);
				default -> new Reply(200, "Hello");
			};
		} catch (Exception error) {
			reply = new Reply(502, "The service failed. Try again.");
		}
		if (reply.status == 303) exchange.getResponseHeaders().set("Location", reply.body);
		byte[] bytes = reply.status == 303 ? new byte[0] : reply.body.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(reply.status, bytes.length == 0 ? -1 : bytes.length);
		exchange.getResponseBody().write(bytes);
		exchange.close();
	}

	static Reply login(Session session) throws Exception {
		session.state = random();
		session.verifier = random();
		Map<String, String> query = new LinkedHashMap<>();
		query.put("response_type", "code");
		query.put("client_id", id);
		query.put("redirect_uri", redirect);
		query.put("scope", "character_read");
		query.put("access_type", "offline");
		query.put("state", session.state);
		if (!mistake.equals("state is not compared")) {
			query.put("code_challenge_method", "S256");
			query.put("code_challenge", encode64(MessageDigest.getInstance("SHA-256").digest(session.verifier.getBytes())));
		}
		return new Reply(303, base + "/ws/oauth2/auth/?" + form(query));
	}

	static Reply callback(Session session, Map<String, String> query) throws Exception {
		boolean isMine = session.state != null && session.state.equals(query.get("state"));
		if (!isMine && !mistake.equals("state is not compared")) return new Reply(400, "Sign in again.");
		session.state = null;
		if (query.containsKey("error") || !query.containsKey("code")) return new Reply(403, "You did not allow access.");
		Map<String, String> fields = new LinkedHashMap<>(Map.of("grant_type", "authorization_code", "code", query.get("code"), "redirect_uri", redirect));
		if (!mistake.equals("state is not compared")) fields.put("code_verifier", session.verifier);
		Reply reply = token(fields);
		if (reply.status != 200 || field(reply.body, "access_token") == null) return new Reply(502, "Sign in again.");
		session.access = field(reply.body, "access_token");
		if (field(reply.body, "refresh_token") != null) session.refresh = field(reply.body, "refresh_token");
		return new Reply(303, "/");
	}

	static Reply read(Session session, String name) throws Exception {
		if (session.access == null) return new Reply(401, "Sign in first.");
		Object[] cached = session.cache.get(name);
		if (cached != null && (long) cached[0] > System.currentTimeMillis()) return (Reply) cached[1];
		if (System.currentTimeMillis() < blockedUntil && !mistake.equals("ignores the limit")) return new Reply(503, "Try later.");
		if (silences >= 2 && isBlacklisted()) return new Reply(503, "Try later.");
		String token = session.access;
		Reply reply = call(name, token);
		if (reply.status == 401 && session.refresh != null) {
			if (mistake.equals("refreshes without a lock")) refresh(session);
			else synchronized (session) {
				if (token.equals(session.access)) refresh(session);
			}
			if (session.access == null) return new Reply(401, "Sign in first.");
			if (!token.equals(session.access)) reply = call(name, session.access);
		}
		if (reply.status == 200) session.cache.put(name, new Object[] { System.currentTimeMillis() + 60_000, reply });
		return reply.status == 401 ? new Reply(401, "Sign in first.") : reply;
	}

	static void refresh(Session session) throws Exception {
		Reply reply = token(Map.of("grant_type", "refresh_token", "refresh_token", session.refresh));
		if (reply.status == 200) {
			session.access = field(reply.body, "access_token");
			if (field(reply.body, "refresh_token") != null) session.refresh = field(reply.body, "refresh_token");
		} else if ("invalid_grant".equals(field(reply.body, "error"))) {
			session.access = session.refresh = null;
		}
	}

	static Reply logout(Session session) throws Exception {
		String token = session.refresh;
		session.access = session.refresh = null;
		if (token != null) send("GET", "/ws/oauth2/revoke?" + form(Map.of("token", token, "client_id", id)), null, null);
		return new Reply(303, "/");
	}

	static Reply call(String name, String token) throws Exception {
		try {
			Reply reply = send("GET", "/ws/v2.0/character/" + URLEncoder.encode(name, "UTF-8").replace("+", "%20"), "OAuth " + token, null);
			silences = 0;
			return reply;
		} catch (IOException error) {
			silences++;
			throw error;
		}
	}

	static long checkedAt = 0;

	static synchronized boolean isBlacklisted() {
		if (System.currentTimeMillis() - checkedAt < 5000) return true;
		checkedAt = System.currentTimeMillis();
		try {
			boolean isIt = "blacklisted".equals(field(send("GET", "/ratelimiting", null, null).body, "state"));
			if (!isIt) silences = 0;
			return isIt;
		} catch (Exception error) {
			return true;
		}
	}

	static Reply token(Map<String, String> fields) throws Exception {
		Map<String, String> all = new LinkedHashMap<>(fields);
		all.put("client_id", id);
		all.put("client_secret", secret);
		return send("POST", "/ws/oauth2/token/", null, form(all));
	}

	/** HttpURLConnection repeats a request, also a POST, if the connection ends without a response. */
	static Reply send(String method, String path, String authorization, String body) throws Exception {
		HttpURLConnection connection = (HttpURLConnection) URI.create(base + path).toURL().openConnection();
		connection.setRequestMethod(method);
		connection.setInstanceFollowRedirects(false);
		connection.setRequestProperty("Accept", "application/json");
		if (authorization != null) connection.setRequestProperty("Authorization", authorization);
		if (body != null) {
			connection.setDoOutput(true);
			connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
			connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
		}
		int status = connection.getResponseCode();
		InputStream stream = status < 400 ? connection.getInputStream() : connection.getErrorStream();
		String text = stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		if ("0".equals(connection.getHeaderField("X-RateLimit-Remaining")) && connection.getHeaderField("X-RateLimit-Reset") != null) {
			Instant date = ZonedDateTime.parse(connection.getHeaderField("Date"), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
			long wait = Long.parseLong(connection.getHeaderField("X-RateLimit-Reset")) - date.getEpochSecond() + 1;
			blockedUntil = System.currentTimeMillis() + 1000 * wait;
		}
		return new Reply(status, text);
	}

	static String field(String json, String name) {
		Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
		return found.find() ? found.group(1) : null;
	}

	static String form(Map<String, String> fields) throws Exception {
		StringBuilder text = new StringBuilder();
		for (Map.Entry<String, String> entry : fields.entrySet())
			text.append(text.length() == 0 ? "" : "&").append(entry.getKey()).append('=').append(URLEncoder.encode(entry.getValue(), "UTF-8"));
		return text.toString();
	}

	static Map<String, String> parse(String query) {
		Map<String, String> fields = new HashMap<>();
		for (String pair : (query == null ? "" : query).split("&")) {
			int at = pair.indexOf('=');
			if (at > 0) fields.put(pair.substring(0, at), URLDecoder.decode(pair.substring(at + 1), StandardCharsets.UTF_8));
		}
		return fields;
	}

	static String random() {
		byte[] bytes = new byte[32];
		new SecureRandom().nextBytes(bytes);
		return encode64(bytes);
	}

	static String encode64(byte[] bytes) {
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

	/** Trusts the first certificate of a file: that of the service. */
	static void trust(String file) throws Exception {
		byte[] pem;
		try (FileInputStream input = new FileInputStream(file)) {
			pem = input.readAllBytes();
		}
		KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
		store.load(null);
		store.setCertificateEntry("service", CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
		TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		factory.init(store);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, factory.getTrustManagers(), null);
		HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
	}
}
