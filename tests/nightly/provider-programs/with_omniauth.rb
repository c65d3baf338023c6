# OmniAuth, unmodified, at the real URLs of three providers. Each printed line is a row of the table in the documentation.
require 'json'
require 'net/http'
require 'rack'
require 'omniauth'
require 'omniauth-github'
require 'omniauth-atlassian-oauth2'
require 'omniauth_openid_connect'

OmniAuth.config.logger = Logger.new(File::NULL)
OmniAuth.config.request_validation_phase = nil
# A failure is a response, and not an exception.
OmniAuth.config.on_failure = ->(env) { [401, {}, [env['omniauth.error'].message]] }

# The user follows the link of the client, and allows what it asks. Returns the query of the callback.
def arrive(link, provider)
  url = URI("#{ENV.fetch('TOLLGATE_BASE_URL')}/control/authorizations")
  http = Net::HTTP.new(url.host, url.port, nil)
  http.use_ssl = true
  http.verify_mode = OpenSSL::SSL::VERIFY_NONE
  body = { username: 'player-one', query: URI(link).query, provider: provider }.to_json
  response = http.post(url.path, body, 'content-type' => 'application/json')
  URI(JSON.parse(response.body).fetch('location')).query
end

# What the app has after a sign-in, and after a second request with the same code. A text: why the sign-in failed.
def sign_in(provider, strategy, name, *options)
  app = Rack::Builder.new do
    use OmniAuth::Builder do
      provider(strategy, *options)
    end
    run ->(env) { [200, {}, [env['omniauth.auth'].to_json]] }
  end.to_app
  session = {}
  env = { 'rack.session' => session, 'HTTP_HOST' => 'localhost:3000' }
  asked = Rack::MockRequest.new(app).post("http://localhost:3000/auth/#{name}", env)
  raise asked.body if asked.headers['Location'].nil?

  query = arrive(asked.headers['Location'], provider)
  kept = Marshal.load(Marshal.dump(session))
  callback = "http://localhost:3000/callback?#{query}"
  first = Rack::MockRequest.new(app).get(callback, env)
  return first.body unless first.status == 200

  [JSON.parse(first.body), Rack::MockRequest.new(app).get(callback, env.merge('rack.session' => kept))]
end

def expect(holds, what)
  raise what.to_s unless holds
end

callback = 'http://localhost:3000/callback'
app = %w[my-app my-secret]

user, again = sign_in('github', :github, 'github', *app, { scope: 'user:email', callback_path: '/callback' })
expect(user['info']['nickname'] == 'player-one', user)
expect(user['credentials']['expires'] == false && user['credentials']['refresh_token'].nil?, user)
expect(again.status == 401 && again.body.include?('bad_verification_code'), again.body)
puts '| `omniauth-github` | GitHub | sign-in, call, no refresh token, error with status 200 |'

options = { scope: 'offline_access read:me read:jira-user', callback_path: '/callback', prompt: 'consent' }
failure = sign_in('atlassian', :atlassian_oauth2, 'atlassian_oauth2', *app, options)
expect(failure.to_s.include?('redirect_uri is not the one of the authorization request'), failure)
puts '| `omniauth-atlassian-oauth2` | Atlassian | no sign-in: `redirect_uri` of the exchange has the query of the callback |'

issuer = 'https://my.keycloak.org/realms/shop'
client = { identifier: app[0], secret: app[1], redirect_uri: callback }
options = { callback_path: '/callback', name: 'keycloak', issuer: issuer, discovery: true, scope: %i[openid profile], client_options: client }
user, again = sign_in('keycloak', :openid_connect, 'keycloak', options)
expect(user['info']['name'] == 'player-one', user)
expect(!user['credentials']['refresh_token'].nil?, user)
expect(again.status == 401 && again.body.include?('invalid_grant'), again.body)
puts '| `omniauth_openid_connect` | Keycloak | discovery of a realm, sign-in, ID token, call, refresh token, used code |'
