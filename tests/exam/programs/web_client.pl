#!/usr/bin/perl
# A web client with the modules of Perl itself and IO::Socket::SSL: `perl web_client.pl PORT [MISTAKE]`. It serves one request at a time.
use strict;
use warnings;
use Digest::SHA qw(sha256);
use HTTP::Tiny;
use IO::Socket::INET;
use JSON::PP qw(decode_json);
use MIME::Base64 qw(encode_base64url);
use Time::HiRes qw(time);
use Time::Local qw(timegm);

my ($port, $mistake) = @ARGV;
$mistake //= '';
my ($base, $id, $secret, $redirect) = @ENV{qw(TOLLGATE_BASE_URL TOLLGATE_CLIENT_ID TOLLGATE_CLIENT_SECRET TOLLGATE_REDIRECT_URI)};
my $service = HTTP::Tiny->new(max_redirect => 0, verify_SSL => 1, timeout => 20, SSL_options => { SSL_ca_file => $ENV{SSL_CERT_FILE} });
my ($blocked_until, $silences, $checked_at) = (0, 0, 0);
my %sessions;

sub random_text {
	open my $source, '<:raw', '/dev/urandom' or die;
	read $source, my $bytes, 32;
	return encode_base64url($bytes);
}

sub encode { my ($text) = @_; $text =~ s/([^\w.~-])/sprintf '%%%02X', ord $1/ge; return $text }
sub decode { my ($text) = @_; $text =~ tr/+/ /; $text =~ s/%([\da-fA-F]{2})/chr hex $1/ge; return $text }
sub form { my (%fields) = @_; return join '&', map { "$_=" . encode($fields{$_}) } sort keys %fields }

sub send_request {
	my ($method, $path, $headers, $body) = @_;
	my $response = $service->request($method, $base . $path, { headers => { accept => 'application/json', %$headers }, content => $body // '' });
	# 599: there was no response.
	return { status => 0, fields => {}, text => '' } if $response->{status} == 599;
	my $found = $response->{headers};
	if (($found->{'x-ratelimit-remaining'} // '') eq '0' && defined $found->{'x-ratelimit-reset'}) {
		$blocked_until = time + $found->{'x-ratelimit-reset'} - seconds_of($found->{date}) + 1;
	}
	my $fields = eval { decode_json($response->{content}) };
	return { status => $response->{status}, fields => ref $fields eq 'HASH' ? $fields : {}, text => $response->{content} };
}

sub seconds_of {
	my ($day, $month, $year, $hour, $minute, $second) = $_[0] =~ /(\d+) (\w+) (\d+) (\d+):(\d+):(\d+)/;
	my %months = map { (qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec))[$_] => $_ } 0 .. 11;
	return timegm($second, $minute, $hour, $day, $months{$month}, $year);
}

sub token {
	my (%fields) = @_;
	return send_request('POST', '/ws/oauth2/token/', { 'content-type' => 'application/x-www-form-urlencoded' }, form(%fields, client_id => $id, client_secret => $secret));
}

sub call {
	my ($name, $access) = @_;
	my $result = send_request('GET', '/ws/v2.0/character/' . encode($name), { authorization => "OAuth $access" });
	$silences = $result->{status} == 0 ? $silences + 1 : 0;
	return $result;
}

sub is_blacklisted {
	return 0 if $silences < 2;
	return 1 if time - $checked_at < 5;
	$checked_at = time;
	my $result = send_request('GET', '/ratelimiting', {});
	return 1 if $result->{status} == 0 || ($result->{fields}{state} // '') eq 'blacklisted';
	$silences = 0;
	return 0;
}

sub renew {
	my ($session) = @_;
	my $result = token(grant_type => 'refresh_token', refresh_token => $session->{refresh});
	if ($result->{status} == 200) {
		$session->{refresh} = $result->{fields}{refresh_token} // $session->{refresh};
		$session->{access} = $result->{fields}{access_token} unless $mistake eq 'forgets the new access token';
		return $result->{fields}{access_token};
	}
	delete @$session{qw(access refresh)} if ($result->{fields}{error} // '') eq 'invalid_grant';
	return undef;
}

sub read_name {
	my ($session, $name) = @_;
	return (401, 'Sign in first.') unless defined $session->{access};
	my $cached = $session->{cache}{$name};
	return (200, $cached->[1]) if $cached && $cached->[0] > time;
	return (503, 'Try later.') if time < $blocked_until && $mistake ne 'ignores the limit';
	return (503, 'Try later.') if is_blacklisted();
	my $result = call($name, $session->{access});
	if ($result->{status} == 401 && defined $session->{refresh}) {
		my $next = renew($session);
		$result = call($name, $next) if defined $next;
	}
	$session->{cache}{$name} = [ time + 60, $result->{text} ] if $result->{status} == 200;
	return ($result->{status} || 502, $result->{text});
}

sub respond {
	my ($path, $query, $session) = @_;
	if ($path eq '/login') {
		@$session{qw(state verifier)} = (random_text(), random_text());
		my %fields = (response_type => 'code', client_id => $id, redirect_uri => $redirect, scope => 'character_read', access_type => 'offline', state => $session->{state});
		%fields = (%fields, code_challenge_method => 'S256', code_challenge => encode_base64url(sha256($session->{verifier}))) if $mistake ne 'state is not compared';
		return (303, "$base/ws/oauth2/auth/?" . form(%fields));
	}
	if ($path eq '/callback') {
		my $state = delete $session->{state};
		my $is_mine = defined $state && defined $query->{state} && $state eq $query->{state};
		return (400, 'Sign in again.') unless $is_mine || $mistake eq 'state is not compared';
		return (403, 'You did not allow access.') if exists $query->{error} || !defined $query->{code};
		my %fields = (grant_type => 'authorization_code', code => $query->{code}, redirect_uri => $redirect);
		$fields{code_verifier} = $session->{verifier} if $mistake ne 'state is not compared';
		my $result = token(%fields);
		return (502, 'Sign in again.') unless $result->{status} == 200 && defined $result->{fields}{access_token};
		$session->{access} = $result->{fields}{access_token};
		$session->{refresh} = $result->{fields}{refresh_token} // $session->{refresh};
		return (303, '/');
	}
	return read_name($session, $query->{name} // 'Mara Vell') if $path eq '/me';
	if ($path eq '/logout') {
		my $token = $session->{refresh};
		delete @$session{qw(access refresh)};
		send_request('GET', '/ws/oauth2/revoke?' . form(token => $token, client_id => $id), {}) if defined $token;
		return (303, '/');
	}
	return (200, 'Hello');
}

my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 64, ReuseAddr => 1) or die "Cannot listen: $!";
while (my $client = $server->accept) {
	my $line = <$client> // '';
	my $cookie = '';
	while (defined(my $header = <$client>)) {
		last if $header =~ /^\r?\n$/;
		$cookie = $1 if $header =~ /^cookie:.*\bsid=([\w-]+)/i;
	}
	my ($path, $search) = $line =~ m{^\w+ (/[^? ]*)\??(\S*)};
	my %query = map { my ($name, $value) = split /=/, $_, 2; (decode($name), decode($value // '')) } split /&/, $search // '';
	my $sid = $cookie || random_text();
	my ($status, $text) = eval { respond($path // '/', \%query, $sessions{$sid} //= {}) };
	($status, $text) = (502, 'The service failed.') if $@;
	my $location = $status == 303 ? "Location: $text\r\n" : '';
	$text = '' if $status == 303;
	print $client "HTTP/1.1 $status OK\r\nContent-Type: text/html\r\nSet-Cookie: sid=$sid; HttpOnly; Path=/; SameSite=Lax\r\n${location}Content-Length: ", length $text, "\r\nConnection: close\r\n\r\n$text";
	close $client;
}
