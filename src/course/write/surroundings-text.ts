/** The second file of the editor, which programs import as `./surroundings`. It is for reading only. */
export const surroundingsText = `// What your client finds here. You cannot change this file.

export const config: {
  id: string;              // client_id
  secret: string;          // client_secret
  redirectUri: string;
  authorizationUrl: string;
  tokenUrl: string;
  revocationUrl: string;
  characterUrl: string;    // add a name: config.characterUrl + encodeURIComponent(name)
  rateLimitsUrl: string;
  scope: string;
};

// What the client keeps for this user. Values are copied.
export const storage: {
  get(key: string): Promise<any>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
};

// The user's browser.
export const browser: {
  // Resolves with the URL of the redirect URI where it arrived.
  open(url: string): Promise<URL>;
  // Sends a request as a script of your client's page would, so CORS applies.
  fetch(url: string, init?: RequestInit): Promise<Response>;
};

// The clock of the exercise. A sleep moves the time of the service, so it ends at once.
// Date, performance.now() and setTimeout follow this clock. setInterval does not.
export const clock: {
  now(): number;           // milliseconds since 1970
  sleep(milliseconds: number): Promise<void>;
};

// Also here: fetch (the service of this exercise only), console, crypto, URL,
// and two modules: './tollgate-client' (the client core) and 'oauth4webapi'.
`;
