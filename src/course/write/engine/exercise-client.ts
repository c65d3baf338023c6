/** The application that the programs of exercises are. */
export const clientId = 'my-client';
/** Where authorization responses of the programs arrive. */
export const redirectUri = 'https://my-client.example/callback';
/** The user who signs in. */
export const exerciseUser = 'player-one';
