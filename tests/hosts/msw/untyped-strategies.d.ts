// Strategies of Passport that have no types of their own.

type Verified = (error: unknown, user?: object) => void;

declare module '@nicokaiser/passport-apple' {
	export default class AppleStrategy {
		constructor(
			options: {
				readonly clientID: string;
				readonly teamID: string;
				readonly keyID: string;
				readonly key: string;
				readonly callbackURL: string;
				readonly scope: readonly string[];
			},
			verify: (token: string, refresh: string | undefined, profile: object, done: Verified) => void
		);
		authenticate(request: object, options?: object): void;
	}
}

declare module 'passport-atlassian-oauth2' {
	export default class AtlassianStrategy {
		constructor(
			options: {
				readonly clientID: string;
				readonly clientSecret: string;
				readonly callbackURL: string;
				readonly scope: string;
			},
			verify: (token: string, refresh: string | undefined, profile: object, done: Verified) => void
		);
		authenticate(request: object, options?: object): void;
	}
}
