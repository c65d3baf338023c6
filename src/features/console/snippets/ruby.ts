import { singleQuoted, type ProgramInput, type Snippet } from './snippet.ts';

export const ruby: Snippet = {
	label: 'Ruby',
	file: 'client.rb',
	language: 'python',
	run: 'ruby client.rb',
	trust: 'SSL_CERT_FILE',
	code: (input) => String.raw`require 'digest'
require 'json'
require 'net/http'
require 'securerandom'

$stdout.sync = true

BASE = ${singleQuoted(input.baseUrl)}
REDIRECT_URI = ${singleQuoted(input.redirect_uri)}
CLIENT = { client_id: ${singleQuoted(input.client_id)}${input.hasSecret ? ", client_secret: ENV.fetch('CLIENT_SECRET')" : ''} }.freeze
${endpointsOf(input)}

def token(fields)
  response = Net::HTTP.post_form(URI(TOKEN_ENDPOINT), CLIENT.merge(fields))
  abort response.body unless response.is_a?(Net::HTTPOK)
  JSON.parse(response.body)
end

# 1. Ask the user for access. state and PKCE bind the code to this run.
state = SecureRandom.urlsafe_base64(16)
verifier = SecureRandom.urlsafe_base64(32)
challenge = [Digest::SHA256.digest(verifier)].pack('m0').tr('+/', '-_').delete('=')
puts 'Open this URL in a browser:'
puts "#{AUTHORIZATION_ENDPOINT}?${input.query}&state=#{state}&code_challenge=#{challenge}"
${
	input.pastesCode
		? String.raw`print 'Paste the code: '
code = $stdin.gets.strip`
		: String.raw`print '${input.pastePrompt}'
callback = URI.decode_www_form(URI($stdin.gets.strip).query.to_s).to_h
abort 'The state does not match.' unless callback['state'] == state${checkIssuer(input)}
code = callback['code'] or abort callback['error']`
}

# 2. Exchange the code for tokens.
tokens = token(grant_type: 'authorization_code', code: code, code_verifier: verifier,
               redirect_uri: REDIRECT_URI${input.offlineIn === 'token' ? ", access_type: 'offline'" : ''})

# 3. Request a resource. The headers report the rate limit.
headers = { 'Authorization' => "${input.dialect.tokenType} #{tokens['access_token']}" }
response = Net::HTTP.get_response(URI("#{BASE}${input.path}"), headers)
response.each_header { |name, value| puts "#{name}: #{value}" if name.start_with?('x-ratelimit') }
puts response.code, response.body

# 4. ${input.refreshComment}
if tokens['refresh_token']
  refreshed = token(grant_type: 'refresh_token', refresh_token: tokens['refresh_token'])
  puts "Refreshed: #{refreshed['access_token'][0, 6]}…"
else
  puts '${input.noRefreshToken}'
end
`
};

/** The lines that set the URLs of the endpoints. */
function endpointsOf(input: ProgramInput): string {
	if (!input.dialect.metadata)
		return `AUTHORIZATION_ENDPOINT = "#{BASE}/ws/oauth2/auth/"
TOKEN_ENDPOINT = "#{BASE}/ws/oauth2/token/"`;
	return `SERVER = JSON.parse(Net::HTTP.get(URI(${singleQuoted(input.metadataUrl)})))
abort 'The metadata is that of another issuer.' unless SERVER['issuer'] == BASE
AUTHORIZATION_ENDPOINT, TOKEN_ENDPOINT = SERVER.values_at('authorization_endpoint', 'token_endpoint')`;
}

/** The line that compares the issuer of the authorization response (RFC 9207). */
function checkIssuer({ dialect }: ProgramInput): string {
	return dialect.iss ? `\nabort 'The response is that of another issuer.' unless callback['iss'] == BASE` : '';
}
