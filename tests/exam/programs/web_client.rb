# A web application that signs users in with Tollgate, by the gem oauth2: ruby web_client.rb PORT
# Its mistake is in EXAM_MISTAKE. Without one, the exam must pass it.
require 'cgi'
require 'erb'
require 'json'
require 'net/http'
require 'oauth2'
require 'openssl'
require 'securerandom'
require 'time'
require 'webrick'

BASE_URL = ENV.fetch('TOLLGATE_BASE_URL')
CLIENT_ID = ENV.fetch('TOLLGATE_CLIENT_ID')
MISTAKE = ENV.fetch('EXAM_MISTAKE', '')
IS_OPEN = MISTAKE == 'state is not compared'
REDIRECT_URI = ENV.fetch('TOLLGATE_REDIRECT_URI')
CLIENT = OAuth2::Client.new(
  CLIENT_ID,
  ENV.fetch('TOLLGATE_CLIENT_SECRET'),
  site: BASE_URL,
  authorize_url: "#{BASE_URL}/ws/oauth2/auth/",
  token_url: "#{BASE_URL}/ws/oauth2/token/",
  auth_scheme: :request_body
)

# The user must sign in again.
class SignedOut < StandardError; end

# What the application knows about one browser.
class Session
  attr_accessor :pending, :token, :cache
  attr_reader :lock

  def initialize
    @lock = Mutex.new
    @cache = {}
  end

  def forget
    @token = nil
    @cache = {}
  end
end

# Calls to the service, with respect for its limits.
class Calls
  def initialize
    @blocked_until = 0
    @unanswered = 0
    @checked_at = 0
  end

  def read(session, name)
    raise SignedOut if session.token.nil?

    until_time, status, text = session.cache[name]
    return [status, text] if !until_time.nil? && Time.now.to_f < until_time
    is_blocked = Time.now.to_f < @blocked_until && MISTAKE != 'ignores the limit'
    return [503, 'The service is busy. Try again later.'] if is_blocked || blacklisted?

    refresh(session) if due?(session.token)
    response = send_call(session, name)
    if response.code == '401'
      old = session.token
      refresh(session)
      response = send_call(session, name)
      session.token = old if MISTAKE == 'forgets the new access token'
    end
    raise SignedOut if response.code == '401'

    session.cache[name] = [Time.now.to_f + 60, 200, response.body] if response.code == '200'
    [response.code.to_i, response.body]
  end

  private

  def due?(token)
    return false if token.refresh_token.nil? || token.expires_at.nil?

    Time.now.to_f > token.expires_at - [60, token.expires_in / 10.0].min
  end

  def refresh(session)
    raise SignedOut if session.token.refresh_token.nil?

    session.token = session.token.refresh!
  rescue OAuth2::Error => e
    raise unless e.message.include?('invalid_grant') || e.response.body.include?('invalid_grant')

    session.forget
    raise SignedOut
  end

  def send_call(session, name)
    3.times do |attempt|
      response = get("/ws/v2.0/character/#{ERB::Util.url_encode(name)}", session.token.token)
      note_limit(response)
      return response if response.code.to_i < 500 || attempt == 2

      sleep(0.5 * (2**attempt) * (1 + rand))
    end
  end

  def get(path, token)
    uri = URI(BASE_URL + path)
    request = Net::HTTP::Get.new(uri)
    request['Authorization'] = "OAuth #{token}" unless token.nil?
    request['Accept'] = 'application/json'
    http = Net::HTTP.new(uri.host, uri.port)
    http.use_ssl = true
    http.max_retries = 0
    response = http.request(request)
    @unanswered = 0 unless token.nil?
    response
  rescue StandardError
    @unanswered += 1
    raise
  end

  def note_limit(response)
    return if response['X-RateLimit-Remaining'] != '0'

    @blocked_until = Time.now.to_f + response['X-RateLimit-Reset'].to_i - Time.httpdate(response['Date']).to_i + 1
  end

  # After two requests without a response, the application asks before it sends another.
  def blacklisted?
    return false if @unanswered < 2
    return true if Time.now.to_f - @checked_at < 5

    @checked_at = Time.now.to_f
    return true if JSON.parse(get('/ratelimiting', nil).body)['state'] == 'blacklisted'

    @unanswered = 0
    false
  end
end

SESSIONS = Hash.new { |all, id| all[id] = Session.new }
CALLS = Calls.new

def begin_sign_in(session)
  verifier = SecureRandom.urlsafe_base64(32)
  session.pending = { state: SecureRandom.urlsafe_base64(24), verifier: verifier }
  challenge = [OpenSSL::Digest::SHA256.digest(verifier)].pack('m0').tr('+/', '-_').delete('=')
  CLIENT.auth_code.authorize_url(
    redirect_uri: REDIRECT_URI,
    scope: 'character_read',
    access_type: 'offline',
    state: session.pending[:state],
    **(IS_OPEN ? {} : { code_challenge: challenge, code_challenge_method: 'S256' })
  )
end

def complete_sign_in(session, query)
  pending = session.pending
  session.pending = nil
  is_mine = !pending.nil? && query['state'] == pending[:state]
  return [400, 'This sign-in was not started here.', nil] unless is_mine || IS_OPEN
  return [403, 'You did not allow access.', nil] if query.key?('error')

  old = session.token&.refresh_token
  verifier = IS_OPEN ? {} : { code_verifier: pending[:verifier] }
  token = CLIENT.auth_code.get_token(query['code'], redirect_uri: REDIRECT_URI, **verifier)
  token.refresh_token ||= old
  session.token = token
  [303, '', '/']
end

def sign_out(session)
  token = session.token
  session.forget
  return if token.nil?

  query = URI.encode_www_form(token: token.refresh_token || token.token, client_id: CLIENT_ID)
  uri = URI("#{BASE_URL}/ws/oauth2/revoke?#{query}")
  Net::HTTP.start(uri.host, uri.port, use_ssl: true) { |http| http.get(uri.request_uri) }
end

def page(path, query, session)
  case path
  when '/login' then [303, '', begin_sign_in(session)]
  when '/callback' then complete_sign_in(session, query)
  when '/me' then [*CALLS.read(session, query['name'] || 'Mara Vell'), nil]
  when '/logout'
    sign_out(session)
    [303, '', '/']
  else [200, session.token.nil? ? 'Signed out' : 'Signed in', nil]
  end
rescue SignedOut
  [401, 'Sign in first.', nil]
rescue StandardError => e
  [502, "It did not work: #{e.class}", nil]
end

log = WEBrick::Log.new(File::NULL)
server = WEBrick::HTTPServer.new(Port: ARGV.fetch(0).to_i, BindAddress: 'localhost', Logger: log, AccessLog: [])
server.mount_proc('/') do |request, response|
  sent = request.cookies.find { |cookie| cookie.name == 'sid' }&.value
  id = sent || SecureRandom.urlsafe_base64(24)
  session = SESSIONS[id]
  query = URI.decode_www_form(request.query_string.to_s).to_h
  status, text, location = session.lock.synchronize { page(request.path, query, session) }
  response.status = status
  response['Content-Type'] = 'text/html; charset=utf-8'
  response['Set-Cookie'] = "sid=#{id}; HttpOnly; SameSite=Lax; Path=/"
  response['Location'] = location unless location.nil?
  response.body = "<!doctype html><p>#{CGI.escapeHTML(text.dup.force_encoding('UTF-8'))}</p>"
end
trap('TERM') { server.shutdown }
server.start
