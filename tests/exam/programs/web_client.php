<?php
// A web client with PHP's own functions: `php -S localhost:PORT web_client.php`, with the mistake in EXAM_MISTAKE.
// Its processes share sessions, limits and the lock of a refresh in files.
$base = getenv('TOLLGATE_BASE_URL');
$id = getenv('TOLLGATE_CLIENT_ID');
$redirect = getenv('TOLLGATE_REDIRECT_URI');
$mistake = getenv('EXAM_MISTAKE') ?: '';
$folder = sys_get_temp_dir() . '/exam-php-' . getenv('TOLLGATE_EXAM_ID');
@mkdir($folder, 0700);

function random(): string {
	return rtrim(strtr(base64_encode(random_bytes(32)), '+/', '-_'), '=');
}

/** Reads and changes a file of this client. Only one process does so at a time. */
function stored(string $name, callable $change): mixed {
	global $folder;
	$file = fopen("$folder/$name", 'c+');
	flock($file, LOCK_EX);
	$data = json_decode(stream_get_contents($file) ?: '{}', true) ?: [];
	$result = $change($data);
	ftruncate($file, 0);
	rewind($file);
	fwrite($file, json_encode($data));
	fclose($file);
	return $result;
}

/** @return array{int, array, string} status 0: there was no response */
function send(string $method, string $path, array $headers = [], string $body = ''): array {
	global $base;
	$options = ['method' => $method, 'header' => [...$headers, 'Accept: application/json'], 'content' => $body, 'ignore_errors' => true, 'follow_location' => 0, 'timeout' => 20];
	$context = stream_context_create(['http' => $options, 'ssl' => ['cafile' => getenv('SSL_CERT_FILE')]]);
	$text = @file_get_contents($base . $path, false, $context);
	if ($text === false) return [0, [], ''];
	preg_match('/ (\d{3})/', $http_response_header[0], $status);
	$found = [];
	foreach ($http_response_header as $line) if (str_contains($line, ':')) {
		[$name, $value] = explode(':', $line, 2);
		$found[strtolower($name)] = trim($value);
	}
	if (($found['x-ratelimit-remaining'] ?? '') === '0' && isset($found['x-ratelimit-reset'])) {
		$wait = (int) $found['x-ratelimit-reset'] - strtotime($found['date']) + 1;
		stored('limits', function (array &$data) use ($wait) { $data['until'] = microtime(true) + $wait; });
	}
	return [(int) $status[1], json_decode($text, true) ?: [], $text];
}

function token(array $fields): array {
	global $id;
	$form = http_build_query([...$fields, 'client_id' => $id, 'client_secret' => getenv('TOLLGATE_CLIENT_SECRET')]);
	return send('POST', '/ws/oauth2/token/', ['Content-Type: application/x-www-form-urlencoded'], $form);
}

function call(string $name, string $access): array {
	$result = send('GET', '/ws/v2.0/character/' . rawurlencode($name), ["Authorization: OAuth $access"]);
	stored('limits', function (array &$data) use ($result) { $data['silences'] = $result[0] === 0 ? ($data['silences'] ?? 0) + 1 : 0; });
	return $result;
}

function is_blacklisted(): bool {
	$mayAsk = stored('limits', function (array &$data) {
		if (($data['silences'] ?? 0) < 2) return null;
		$isDue = microtime(true) - ($data['checked'] ?? 0) > 5;
		if ($isDue) $data['checked'] = microtime(true);
		return $isDue;
	});
	if ($mayAsk === null) return false;
	if ($mayAsk === false) return true;
	[$status, $state] = send('GET', '/ratelimiting');
	if ($status === 0 || ($state['state'] ?? '') === 'blacklisted') return true;
	stored('limits', function (array &$data) { $data['silences'] = 0; });
	return false;
}

/** One process refreshes. The others wait, and find the new token. */
function renew(string $sid, string $used): ?string {
	global $mistake;
	$refresh = function (array &$data) use ($used, $mistake) {
		if (($data['access'] ?? null) !== $used && $mistake !== 'refreshes without a lock') return $data['access'] ?? null;
		[$status, $fields] = token(['grant_type' => 'refresh_token', 'refresh_token' => $data['refresh']]);
		if ($status === 200) {
			if ($mistake !== 'forgets the new access token') $data['access'] = $fields['access_token'];
			$data['refresh'] = $fields['refresh_token'] ?? $data['refresh'];
			return $fields['access_token'];
		}
		if (($fields['error'] ?? '') === 'invalid_grant') unset($data['access'], $data['refresh']);
		return $data['access'] ?? null;
	};
	return stored("s-$sid", $refresh);
}

function read(string $sid, string $name): array {
	global $mistake;
	$session = stored("s-$sid", fn (array &$data) => $data);
	if (!isset($session['access'])) return [401, 'Sign in first.'];
	$cached = $session['cache'][$name] ?? null;
	if ($cached !== null && $cached[0] > microtime(true)) return [200, $cached[1]];
	$until = stored('limits', fn (array &$data) => $data['until'] ?? 0);
	if ($until > microtime(true) && $mistake !== 'ignores the limit') return [503, 'Try later.'];
	if (is_blacklisted()) return [503, 'Try later.'];
	[$status, , $text] = call($name, $session['access']);
	if ($status === 401 && isset($session['refresh'])) {
		$next = renew($sid, $session['access']);
		if ($next === null) return [401, 'Sign in first.'];
		if ($next !== $session['access']) [$status, , $text] = call($name, $next);
	}
	if ($status === 200) stored("s-$sid", function (array &$data) use ($name, $text) { $data['cache'][$name] = [microtime(true) + 60, $text]; });
	return [$status ?: 502, $text];
}

$sid = preg_match('/^[\w-]{43}$/', $_COOKIE['sid'] ?? '') ? $_COOKIE['sid'] : random();
setcookie('sid', $sid, ['path' => '/', 'httponly' => true, 'samesite' => 'Lax']);
$query = $_GET;
$go = function (string $url): void { http_response_code(303); header("Location: $url"); };
switch (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
	case '/login':
		[$state, $verifier] = [random(), random()];
		stored("s-$sid", function (array &$data) use ($state, $verifier) { $data['state'] = $state; $data['verifier'] = $verifier; });
		$fields = ['response_type' => 'code', 'client_id' => $id, 'redirect_uri' => $redirect, 'scope' => 'character_read', 'access_type' => 'offline', 'state' => $state];
		if ($mistake !== 'state is not compared') $fields += ['code_challenge_method' => 'S256', 'code_challenge' => rtrim(strtr(base64_encode(hash('sha256', $verifier, true)), '+/', '-_'), '=')];
		$go("$base/ws/oauth2/auth/?" . http_build_query($fields));
		break;
	case '/callback':
		$begun = stored("s-$sid", function (array &$data) { $found = $data; unset($data['state']); return $found; });
		$isMine = isset($begun['state'], $query['state']) && hash_equals($begun['state'], $query['state']);
		if (!$isMine && $mistake !== 'state is not compared') { http_response_code(400); echo 'Sign in again.'; break; }
		if (isset($query['error']) || !isset($query['code'])) { http_response_code(403); echo 'You did not allow access.'; break; }
		$fields = ['grant_type' => 'authorization_code', 'code' => $query['code'], 'redirect_uri' => $redirect];
		if ($mistake !== 'state is not compared') $fields['code_verifier'] = $begun['verifier'];
		[$status, $found] = token($fields);
		if ($status !== 200 || !isset($found['access_token'])) { http_response_code(502); echo 'Sign in again.'; break; }
		stored("s-$sid", function (array &$data) use ($found) {
			$data['access'] = $found['access_token'];
			if (isset($found['refresh_token'])) $data['refresh'] = $found['refresh_token'];
		});
		$go('/');
		break;
	case '/me':
		[$status, $text] = read($sid, $query['name'] ?? 'Mara Vell');
		http_response_code($status);
		echo $text;
		break;
	case '/logout':
		$token = stored("s-$sid", function (array &$data) { $found = $data['refresh'] ?? null; unset($data['access'], $data['refresh']); return $found; });
		if ($token !== null) send('GET', '/ws/oauth2/revoke?' . http_build_query(['token' => $token, 'client_id' => $id]));
		$go('/');
		break;
	default:
		echo 'Hello';
}
